// Writes JSON text piece by piece. Numbers that JSON has not (NaN, infinity) become null.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace hinm::tools {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(const std::string& name) {
    separate();
    quote(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  JsonWriter& value(const std::string& text) {
    separate();
    quote(text);
    return *this;
  }
  JsonWriter& value(const char* text) { return value(std::string(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(int number) { return raw(std::to_string(number)); }
  JsonWriter& value(double number) {
    if (!std::isfinite(number)) return null();
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", number);
    return raw(digits);
  }
  JsonWriter& value(const std::vector<double>& numbers) {
    begin_array();
    for (const double number : numbers) value(number);
    return end_array();
  }
  JsonWriter& null() { return raw("null"); }
  template <class T>
  JsonWriter& field(const std::string& name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  JsonWriter& raw(const std::string& text) {
    separate();
    text_ += text;
    return *this;
  }
  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  void quote(const std::string& text) {
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
        text_ += escaped;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace hinm::tools

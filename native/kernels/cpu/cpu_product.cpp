#include "kernels/cpu/cpu_product.h"

#include <algorithm>
#include <string>

#include "base/parallel.h"

namespace hinm::kernels {
namespace {

/// Panels of a product: N vectors dealt evenly, so that 196 columns become 4+3+3+3 vectors and not 4+4+4+1.
struct Panels {
  std::int64_t vectors;
  std::int64_t count;

  Panels(std::int64_t columns, const ProductKernel& kernel)
      : vectors((columns + kernel.lanes - 1) / kernel.lanes), count((vectors + kernel.panel_vectors - 1) / kernel.panel_vectors) {}
  std::int64_t first_vector(std::int64_t panel) const { return panel * (vectors / count) + std::min(panel, vectors % count); }
};

WorkSpace& work_space() {
  static thread_local WorkSpace space;
  return space;
}

PanelArguments tile_arguments(const RowStream& stream, const StreamTile& tile) {
  PanelArguments arguments;
  if (stream.value_type == ValueType::float32) {
    arguments.weights = stream.weights.data() + tile.values;
  } else {
    arguments.narrow_weights = stream.narrow_weights.data() + tile.values;
  }
  arguments.index = stream.index.data() + tile.values;
  arguments.columns = stream.columns.data() + tile.columns;
  arguments.column_count = stream.column_count;
  arguments.block_columns = stream.block_columns;
  arguments.n = stream.selection.n;
  arguments.m = stream.selection.m;
  arguments.output_rows = stream.output_rows.data() + tile.first_row;
  arguments.row_count = tile.row_count;
  arguments.space = &work_space();
  return arguments;
}

void point_at(PanelArguments& arguments, MatrixView<const float> activations, MatrixView<float> output, std::int64_t first_column) {
  arguments.activations = activations.data + first_column;
  arguments.activation_stride = activations.stride;
  arguments.output = output.data + first_column;
  arguments.output_stride = output.stride;
}

void multiply_columns(const RowStream& stream, MatrixView<const float> activations, MatrixView<float> output, int threads, const ProductKernel& kernel) {
  parallel_for(static_cast<std::int64_t>(stream.tiles.size()), threads, [&](std::int64_t tile, int) {
    PanelArguments arguments = tile_arguments(stream, stream.tiles[static_cast<std::size_t>(tile)]);
    for (std::int64_t column = 0; column < activations.cols; ++column) {
      point_at(arguments, activations, output, column);
      kernel.column(arguments);
    }
  });
}

void multiply_panels(const RowStream& stream, MatrixView<const float> activations, MatrixView<float> output, int threads, const ProductKernel& kernel) {
  const Panels panels(activations.cols, kernel);
  const auto tiles = static_cast<std::int64_t>(stream.tiles.size());
  // Few tiles: cut along N as well, so that every thread has about four items.
  const std::int64_t parts = threads == 1 ? 1 : std::clamp<std::int64_t>((4 * threads + tiles - 1) / tiles, 1, panels.count);
  parallel_for(tiles * parts, threads, [&](std::int64_t item, int) {
    PanelArguments arguments = tile_arguments(stream, stream.tiles[static_cast<std::size_t>(item / parts)]);
    const std::int64_t part = item % parts;
    for (std::int64_t panel = part * panels.count / parts; panel < (part + 1) * panels.count / parts; ++panel) {
      const std::int64_t first = panels.first_vector(panel) * kernel.lanes;
      const auto vectors = static_cast<int>(panels.first_vector(panel + 1) - panels.first_vector(panel));
      arguments.width = std::min<std::int64_t>(vectors * kernel.lanes, activations.cols - first);
      point_at(arguments, activations, output, first);
      kernel.panel(vectors, arguments);
    }
  });
}

}  // namespace

Status multiply(const RowStream& stream, MatrixView<const float> activations, MatrixView<float> output, int threads, const ProductKernel& kernel) {
  if (activations.rows != stream.cols || output.rows != stream.rows || output.cols != activations.cols || activations.cols < 1)
    return invalid_argument("A matrix of " + std::to_string(stream.rows) + " × " + std::to_string(stream.cols) + " cannot multiply activations of " +
                            std::to_string(activations.rows) + " × " + std::to_string(activations.cols) + "; give " + std::to_string(stream.cols) +
                            " rows and at least one column.");
  if (activations.cols <= narrow_columns) {
    multiply_columns(stream, activations, output, threads, kernel);
  } else {
    multiply_panels(stream, activations, output, threads, kernel);
  }
  return success();
}

}  // namespace hinm::kernels

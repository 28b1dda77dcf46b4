// First import of every Node entry: better-sqlite3 ends an older Node with a segmentation fault, so it is said in words first.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(`HiNM Bench needs Node 22.15 or newer, but this is ${process.version}; start it with "npm start", which brings its own Node.`)
  process.exit(1)
}
export {}

import type { ErrorCode } from '../../contract/error.ts'
import { counting, hostilePickle, joined, npy, onnx, safetensors, tensorPickle, zip } from './build-files.ts'
import type { OnnxTensorParts } from './build-files.ts'

/** One file, or several that belong together, and what opening the first must come to. */
export interface CorpusEntry {
  name: string
  files: Record<string, Uint8Array>
  /** Opened without an error: layers by name with M×K and what is said of them, and the first values of a layer. */
  opens?: { layers: [name: string, rows: number, cols: number, reason: RegExp | null][]; values?: { layer: string; first: number[] } }
  /** Refused with a code and a sentence that holds this text. */
  refused?: { code: ErrorCode; text: string }
}

const f32 = (shape: number[], begin: number, end: number): object => ({ dtype: 'F32', shape, data_offsets: [begin, end] })
const linear: CorpusEntry['opens'] = { layers: [['w', 2, 32, null]], values: { layer: 'w', first: [0, 1, 2, 3] } }
const ready = 'w.safetensors'

const refusedSafetensors = (name: string, header: object | string, data: Uint8Array, text: string): CorpusEntry => ({
  name: `safetensors: ${name}`,
  files: { [ready]: safetensors(header, data) },
  refused: { code: 'MODEL_CORRUPT', text },
})

const safetensorsEntries: CorpusEntry[] = [
  { name: 'safetensors: one linear weight', files: { [ready]: safetensors({ w: f32([2, 32], 0, 256) }, counting(64)) }, opens: linear },
  {
    name: 'safetensors: header with spaces behind it',
    files: { [ready]: safetensors(`${JSON.stringify({ w: f32([2, 32], 0, 256) })}     `, counting(64)) },
    opens: linear,
  },
  {
    name: 'safetensors: an empty tensor is listed and not eligible (modelaudit#1607)',
    files: { [ready]: safetensors({ e: f32([0, 32], 0, 0), w: f32([2, 32], 0, 256) }, counting(64)) },
    opens: {
      layers: [
        ['e', 0, 32, /^empty/],
        ['w', 2, 32, null],
      ],
    },
  },
  {
    name: 'safetensors: an unknown type is listed and skipped',
    files: {
      [ready]: safetensors({ q: { dtype: 'Q3', shape: [2, 2], data_offsets: [0, 4] }, w: f32([2, 32], 4, 260) }, joined(new Uint8Array(4), counting(64))),
    },
    opens: {
      layers: [
        ['q', 2, 2, /type Q3 is listed but not read/],
        ['w', 2, 32, null],
      ],
    },
  },
  {
    name: 'safetensors: bfloat16 and a convolution, channels innermost',
    files: {
      [ready]: safetensors(
        { c: f32([1, 32, 1, 2], 2, 258), h: { dtype: 'BF16', shape: [1], data_offsets: [0, 2] } },
        joined(Uint8Array.of(0x80, 0x3f), counting(64)),
      ),
    },
    opens: { layers: [['c', 1, 64, null]], values: { layer: 'c', first: [0, 2, 4, 6] } },
  },
  {
    name: 'safetensors: an embedding by its name',
    files: { [ready]: safetensors({ 'model.embed_tokens.weight': f32([2, 32], 0, 256) }, counting(64)) },
    opens: { layers: [['model.embed_tokens.weight', 2, 32, /embedding table by its name/]] },
  },
  refusedSafetensors(
    'a name twice (safetensors#401)',
    '{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
    counting(2),
    'names "w" twice',
  ),
  refusedSafetensors(
    'a name twice, once escaped',
    '{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\\u0077":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
    counting(2),
    'names "w" twice',
  ),
  refusedSafetensors('one element without bytes', { w: f32([1], 0, 0) }, new Uint8Array(0), 'needs 4 bytes, but 0 are given'),
  refusedSafetensors('a hole', { a: f32([1], 0, 4), b: f32([1], 8, 12) }, counting(3), 'a hole of 4 bytes before the tensor "b"'),
  refusedSafetensors('an overlap', { a: f32([2], 0, 8), b: f32([1], 4, 8) }, counting(2), 'overlaps another one'),
  refusedSafetensors('data behind the last tensor', { a: f32([1], 0, 4) }, counting(2), 'tensors end at byte'),
  refusedSafetensors('a shape whose size overflows', { w: f32([2 ** 40, 2 ** 40], 0, 4) }, counting(1), 'but 4 are given'),
  refusedSafetensors('half a byte', { w: { dtype: 'F4', shape: [3], data_offsets: [0, 1] } }, new Uint8Array(1), 'does not fill whole bytes'),
  refusedSafetensors('a negative size', { w: f32([-1], 0, 4) }, counting(1), 'a shape of whole numbers'),
  refusedSafetensors('metadata that is no text', { __metadata__: { a: 1 } }, new Uint8Array(0), '__metadata__ holds something other than texts'),
  refusedSafetensors('a header that is no JSON', '{"w":', new Uint8Array(0), 'not valid JSON'),
  refusedSafetensors('a header nested without end', '{'.concat('"a":['.repeat(1), '['.repeat(100_000)), new Uint8Array(0), 'twice'),
  {
    name: 'safetensors: a header longer than the file',
    files: { [ready]: joined(Uint8Array.of(255, 0, 0, 0, 0, 0, 0, 0), '{}') },
    refused: { code: 'MODEL_CORRUPT', text: 'claims 255 bytes, but the file holds 10' },
  },
  {
    name: 'safetensors: a header of 2^60 bytes',
    files: { [ready]: joined(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 16), '{}') },
    refused: { code: 'MODEL_CORRUPT', text: 'more than the 100000000 that the format allows' },
  },
]

const index = (map: Record<string, unknown>): Uint8Array => joined(JSON.stringify({ metadata: {}, weight_map: map }))
const shard = safetensors({ w: f32([2, 32], 0, 256) }, counting(64))
const refusedIndex = (name: string, map: Record<string, unknown>, text: string, code: ErrorCode = 'MODEL_CORRUPT'): CorpusEntry => ({
  name: `index: ${name}`,
  files: { 'm.safetensors.index.json': index(map), 'a.safetensors': shard },
  refused: { code, text },
})

const indexEntries: CorpusEntry[] = [
  { name: 'index: one shard', files: { 'm.safetensors.index.json': index({ w: 'a.safetensors' }), 'a.safetensors': shard }, opens: linear },
  refusedIndex(
    'a shard is missing (sglang#32279)',
    { w: 'a.safetensors', v: 'b.safetensors', u: 'b.safetensors' },
    'names the shard b.safetensors with 2 tensors',
    'FILE_NOT_FOUND',
  ),
  refusedIndex('a path to the folder above (transformers#47176)', { w: '../a.safetensors' }, 'not a plain file name'),
  refusedIndex('an absolute path', { w: '/a.safetensors' }, 'not a plain file name'),
  refusedIndex('a backslash', { w: '..\\a.safetensors' }, 'not a plain file name'),
  refusedIndex('a tensor that the shard lacks', { other: 'a.safetensors' }, 'which does not hold it'),
  refusedIndex('a shard that is a number', { w: 1 }, 'not a plain file name'),
]

const header = (descr: string, shape: string, fortran = 'False'): string => `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`
const swapped = (bytes: Uint8Array): Uint8Array => Uint8Array.from({ length: bytes.length }, (_, i) => bytes[i - (i % 4) + 3 - (i % 4)]!)
const refusedNpy = (name: string, literal: string, data: Uint8Array, text: string): CorpusEntry => ({
  name: `npy: ${name}`,
  files: { 'w.npy': npy(literal, data) },
  refused: { code: 'MODEL_CORRUPT', text },
})

const numpyEntries: CorpusEntry[] = [
  { name: 'npy: version 1', files: { 'w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }, opens: linear },
  { name: 'npy: version 2, a header length of 4 bytes (cnpy#77)', files: { 'w.npy': npy(header('<f4', '(2, 32)'), counting(64), 2) }, opens: linear },
  { name: 'npy: version 3', files: { 'w.npy': npy(header('<f4', '(2, 32)'), counting(64), 3) }, opens: linear },
  {
    name: 'npy: column-major (cnpy#7)',
    files: { 'w.npy': npy(header('<f4', '(2, 32)', 'True'), counting(64)) },
    // column c holds 2c and 2c+1, so row 0 reads 0, 2, 4, 6
    opens: { layers: [['w', 2, 32, null]], values: { layer: 'w', first: [0, 2, 4, 6] } },
  },
  { name: 'npy: big-endian (numpy#8784)', files: { 'w.npy': npy(header('>f4', '(2, 32)'), swapped(counting(64))) }, opens: linear },
  refusedNpy('Python objects', header('|O', '(2, 32)'), counting(64), 'Python objects, which are never loaded'),
  refusedNpy('a table with fields', "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (64,), }", counting(64), 'a table with named fields'),
  refusedNpy('a shape larger than the file', header('<f4', '(99999999999, 32)'), counting(64), 'bytes of values, but 256 are there'),
  refusedNpy('code instead of a literal', "{'descr': __import__('os').system('true'), 'fortran_order': False, 'shape': (64,)}", counting(64), 'cannot be read'),
  { name: 'npz: stored', files: { 'm.npz': zip({ 'w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }) }, opens: linear },
  {
    name: 'npz: an entry outside',
    files: { 'm.npz': zip({ '../w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }) },
    refused: { code: 'MODEL_CORRUPT', text: 'invalid relative path' },
  },
  {
    name: 'npz: deflated',
    files: { 'm.npz': zip({ 'w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }, { deflate: true }) },
    opens: linear,
  },
  {
    name: 'npz: an entry that claims more than it stores (cpython#83522)',
    files: { 'm.npz': zip({ 'w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }, { claim: 10 ** 9 }) },
    refused: { code: 'MODEL_CORRUPT', text: 'size mismatch' },
  },
  {
    name: 'npz: an entry that claims more than it unpacks to',
    files: { 'm.npz': zip({ 'w.npy': npy(header('<f4', '(2, 32)'), counting(64)) }, { claim: 1000, deflate: true }) },
    refused: { code: 'MODEL_CORRUPT', text: 'cannot be unpacked' },
  },
  {
    name: 'npz: an entry that unpacks to a thousand times its size (keras#23212)',
    files: { 'm.npz': zip({ 'w.npy': new Uint8Array(4_000_000) }, { deflate: true }) },
    refused: { code: 'MODEL_CORRUPT', text: 'would grow' },
  },
]

const checkpoint = (pickle: Uint8Array, data = counting(64)): Uint8Array => zip({ 'm/data.pkl': pickle, 'm/byteorder': joined('little'), 'm/data/0': data })

const pytorchEntries: CorpusEntry[] = [
  { name: 'PyTorch: a state dictionary', files: { 'm.pt': checkpoint(tensorPickle('w', [2, 32])) }, opens: linear },
  {
    name: 'PyTorch: a transposed view',
    files: { 'm.pt': checkpoint(tensorPickle('w', [2, 32], [1, 2])) },
    opens: { layers: [['w', 2, 32, null]], values: { layer: 'w', first: [0, 2, 4, 6] } },
  },
  {
    name: 'PyTorch: a pickle that runs a command',
    files: { 'm.pt': checkpoint(hostilePickle()) },
    refused: { code: 'MODEL_UNSUPPORTED', text: 'a reference to posix.system' },
  },
  {
    name: 'PyTorch: a tensor beyond its storage',
    files: { 'm.pt': checkpoint(tensorPickle('w', [2, 32]), counting(3)) },
    refused: { code: 'MODEL_CORRUPT', text: 'reaches to byte 256 of its storage, which holds 12' },
  },
  {
    name: 'PyTorch: a tensor that repeats its storage',
    files: { 'm.pt': checkpoint(tensorPickle('w', [200, 200], [0, 0])) },
    refused: { code: 'MODEL_CORRUPT', text: 'repeats elements' },
  },
  {
    name: 'PyTorch: a pickle cut off',
    files: { 'm.pt': checkpoint(tensorPickle('w', [2, 32]).subarray(0, 40)) },
    refused: { code: 'MODEL_CORRUPT', text: 'ends early' },
  },
  { name: 'PyTorch: an old bare pickle', files: { 'm.pt': hostilePickle() }, refused: { code: 'MODEL_UNSUPPORTED', text: 'a bare pickle' } },
  {
    name: 'PyTorch: a zip of something else',
    files: { 'm.pt': zip({ 'readme.txt': joined('hello') }) },
    refused: { code: 'NOT_A_MODEL', text: 'no data.pkl' },
  },
]

const matmul = (weight: OnnxTensorParts, more: OnnxTensorParts[] = []): Uint8Array =>
  onnx({ nodes: [{ op: 'MatMul', inputs: ['x', weight.name], outputs: ['y'] }], tensors: [weight, ...more] })
/** Stored [in, out] = [32, 2]; viewed 2×32, row 0 reads 0, 2, 4, 6. */
const viewed: CorpusEntry['opens'] = { layers: [['w', 2, 32, null]], values: { layer: 'w', first: [0, 2, 4, 6] } }
const external = (location: string, extra: Record<string, string> = {}): OnnxTensorParts => ({ name: 'w', dims: [32, 2], external: { location, ...extra } })
const refusedOnnx = (name: string, bytes: Uint8Array, text: string, code: ErrorCode = 'MODEL_CORRUPT'): CorpusEntry => ({
  name: `ONNX: ${name}`,
  files: { 'm.onnx': bytes, 'w.bin': counting(64) },
  refused: { code, text },
})

const onnxEntries: CorpusEntry[] = [
  { name: 'ONNX: MatMul, raw data', files: { 'm.onnx': matmul({ name: 'w', dims: [32, 2], raw: counting(64) }) }, opens: viewed },
  {
    name: 'ONNX: MatMul, float data',
    files: { 'm.onnx': matmul({ name: 'w', dims: [32, 2], floats: Array.from({ length: 64 }, (_, i) => i) }) },
    opens: viewed,
  },
  {
    name: 'ONNX: the weight of a Constant node',
    files: {
      'm.onnx': onnx({
        nodes: [
          { op: 'Constant', inputs: [], outputs: ['w'], constant: { name: '', dims: [32, 2], raw: counting(64) } },
          { op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] },
        ],
        tensors: [],
      }),
    },
    opens: viewed,
  },
  {
    name: 'ONNX: one weight for two nodes is one layer',
    files: {
      'm.onnx': onnx({
        nodes: [
          { op: 'Gemm', inputs: ['x', 'w'], outputs: ['h'], ints: { transB: 1 } },
          { op: 'Gemm', inputs: ['h', 'w'], outputs: ['y'], ints: { transB: 1 } },
        ],
        tensors: [{ name: 'w', dims: [32, 32], raw: counting(1024) }],
      }),
    },
    opens: { layers: [['w', 32, 32, null]] },
  },
  {
    name: 'ONNX: tied with an embedding, grouped, and K that 4 does not divide',
    files: {
      'm.onnx': onnx({
        nodes: [
          { op: 'Gather', inputs: ['t', 'x'], outputs: ['a'] },
          { op: 'MatMul', inputs: ['a', 't'], outputs: ['b'] },
          { op: 'Conv', inputs: ['b', 'g'], outputs: ['c'], ints: { group: 4 } },
          { op: 'MatMul', inputs: ['c', 'k'], outputs: ['y'] },
        ],
        tensors: [
          { name: 't', dims: [32, 32], raw: counting(1024) },
          { name: 'g', dims: [4, 1, 3, 3], raw: counting(36) },
          { name: 'k', dims: [33, 2], raw: counting(66) },
        ],
      }),
    },
    opens: {
      layers: [
        ['t', 32, 32, /tied with an embedding/],
        ['g', 4, 9, /^depthwise convolution with 4 groups/],
        ['k', 2, 33, /K = 33 is not a multiple of 4; the nearest are 32 and 36/],
      ],
    },
  },
  {
    // 1.0, −0, NaN and the smallest subnormal, 2^-133, first as raw bytes and then as bit patterns (onnx#6646)
    name: 'ONNX: bfloat16 as raw bytes',
    files: {
      'm.onnx': matmul({
        name: 'w',
        dims: [32, 1],
        dataType: 16,
        raw: new Uint8Array(Uint16Array.from({ length: 32 }, (_, i) => [0x3f80, 0x8000, 0x7fc0, 0x0001][i % 4]!).buffer),
      }),
    },
    opens: { layers: [['w', 1, 32, null]], values: { layer: 'w', first: [1, -0, NaN, 2 ** -133] } },
  },
  {
    name: 'ONNX: bfloat16 in the int32 field',
    files: {
      'm.onnx': matmul({ name: 'w', dims: [32, 1], dataType: 16, ints: Array.from({ length: 32 }, (_, i) => [0x3f80, 0x8000, 0x7fc0, 0x0001][i % 4]!) }),
    },
    opens: { layers: [['w', 1, 32, null]], values: { layer: 'w', first: [1, -0, NaN, 2 ** -133] } },
  },
  { name: 'ONNX: external data', files: { 'm.onnx': matmul(external('w.bin')), 'w.bin': counting(64) }, opens: viewed },
  refusedOnnx('external data in the folder above', matmul(external('../w.bin')), 'is not a plain file name'),
  refusedOnnx('external data at an absolute path', matmul(external('/etc/passwd')), 'is not a plain file name'),
  refusedOnnx('external data beyond the file', matmul(external('w.bin', { offset: '100', length: '256' })), 'ends at byte 356, but the file holds 256'),
  refusedOnnx('external data at a negative offset', matmul(external('w.bin', { offset: '-4' })), 'is not a whole number of bytes'),
  refusedOnnx('external data with a key that is not known', matmul(external('w.bin', { command: 'x' })), 'the key "command" is not one of'),
  refusedOnnx('external data that is missing', matmul(external('v.bin')), 'does not exist', 'FILE_NOT_FOUND'),
  refusedOnnx('cut in the middle', matmul({ name: 'w', dims: [32, 2], raw: counting(64) }).subarray(0, 150), 'claims'),
  refusedOnnx('an operator set before 7', onnx({ nodes: [], tensors: [], opset: 5 }), 'operator set 5', 'MODEL_UNSUPPORTED'),
  refusedOnnx('a text', joined('just a text, no model at all'), 'not an ONNX model', 'NOT_A_MODEL'),
  refusedOnnx('a web page (netron#1206)', joined('<!DOCTYPE html><html></html>'), 'is a web page', 'NOT_A_MODEL'),
  refusedOnnx(
    'a Git LFS pointer (netron#458)',
    joined('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'),
    'is a Git LFS pointer',
    'NOT_A_MODEL',
  ),
  refusedOnnx('an empty file', new Uint8Array(0), 'is empty', 'NOT_A_MODEL'),
]

/** Reading the values fails, not opening the file: sizes are checked when they are used. */
export const lateRefusals: { name: string; bytes: Uint8Array; text: string }[] = [
  { name: 'ONNX: fewer values than the shape says', bytes: matmul({ name: 'w', dims: [32, 2], raw: counting(3) }), text: 'needs 256 bytes, but 12 are there' },
  { name: 'ONNX: a shape that no memory holds', bytes: matmul({ name: 'w', dims: [2 ** 40, 32], floats: [1] }), text: 'but fewer bytes are there' },
]

export const corpus: readonly CorpusEntry[] = [...safetensorsEntries, ...indexEntries, ...numpyEntries, ...pytorchEntries, ...onnxEntries]

/** Valid files of every format, from which the fuzzer starts. */
export const validFiles: readonly { file: string; bytes: Uint8Array }[] = corpus.flatMap(({ opens, files }) => {
  const [first] = Object.entries(files)
  return opens && first ? [{ file: first[0], bytes: first[1] }] : []
})

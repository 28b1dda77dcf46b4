import type { Task } from '../../../contract/task.ts'
import type { InputArray } from '../samples.ts'

/** A zero-filled array of the element type that the model's input has. */
export function inputArray(type: Task['input']['type'], length: number): InputArray {
  if (type === 'int64') return new BigInt64Array(length)
  return type === 'int32' ? new Int32Array(length) : new Float32Array(length)
}

/** Stores one number in the array's own element type; fractions are cut off in integer arrays. */
export function setValue(array: InputArray, index: number, value: number): void {
  if (array instanceof BigInt64Array) array[index] = BigInt(Math.trunc(value))
  else array[index] = value
}

/**
 * The object, except that reading what it lacks throws: whatever an application reaches for and the double does not
 * emulate must fail loudly, never pass by silence. Symbols and `then` are asked for by the language itself.
 */
export function strict<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && key !== 'then' && !(key in target)) throw notEmulated(`${name}.${key}`)
      return Reflect.get(target, key, receiver)
    },
  })
}

export const notEmulated = (what: string): Error => new Error(`Electron double: ${what} is not emulated.`)

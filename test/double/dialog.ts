import { strict } from './strict.ts'

const stub = (name: string) => () => Promise.reject(new Error(`Electron double: a test puts its own dialog.${name} in place with app.evaluate.`))

/** Stands for Electron's `dialog`. Nobody is there to answer, so a test must say what a person would choose. */
export const dialog = strict('dialog', {
  showOpenDialog: stub('showOpenDialog'),
  showErrorBox: (title: string, text: string) => {
    console.error(`${title}: ${text}`)
  },
})

// Reads a number in the history, adds one and writes it back, many times: an update that gets lost is missing in the end.
import { openHistory } from '../../../db/history.ts'

const [file = '', run = '', times = ''] = process.argv.slice(2)
const id = Number(run)
const history = openHistory(file)
for (let index = 0; index < Number(times); index++) {
  await history.write(() => {
    const { note = '', tags = [] } = history.runs.get(id) ?? {}
    history.runs.annotate(id, String(Number(note) + 1), tags)
  })
}
history.close()

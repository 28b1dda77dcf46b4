// Holds the history's write lock for the milliseconds given.
import Database from 'better-sqlite3'

const [file = '', milliseconds = '0'] = process.argv.slice(2)
const database = new Database(file)
database.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
setTimeout(() => {
  database.exec('ROLLBACK')
  database.close()
}, Number(milliseconds))

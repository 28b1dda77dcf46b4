// Opens a history with one migration more, which takes seconds, to be killed inside it.
import { migrations } from '../../../db/migrations/index.ts'
import { openDatabase } from '../../../db/open.ts'

const slow = `
CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT;
INSERT INTO half WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000000) SELECT i FROM n;
`
process.stdout.write('migrating\n')
openDatabase(process.argv[2] ?? '', [...migrations, slow])
process.stdout.write('migrated\n')

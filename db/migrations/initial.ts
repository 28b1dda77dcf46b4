import { runStatuses } from '../../contract/run.ts'
import { caseStatuses } from '../../contract/case.ts'

const oneOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ')

/**
 * The first schema. Instants are milliseconds since 1970, UTC; everything that has a schema in the contract and is
 * never searched by its parts is JSON; raw samples are little-endian float64.
 */
export const initial = `
CREATE TABLE project (
  path TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  layers TEXT NOT NULL CHECK (json_valid(layers))
) STRICT, WITHOUT ROWID;

CREATE TABLE environment (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  project TEXT NOT NULL,
  spec TEXT NOT NULL CHECK (json_valid(spec)),
  status TEXT NOT NULL CHECK (status IN (${oneOf(runStatuses)})),
  reason TEXT,
  note TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  environment_id INTEGER NOT NULL REFERENCES environment (id),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  reserved_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE run_lease (
  run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT,
  beat_at INTEGER NOT NULL,
  cancel_asked INTEGER NOT NULL DEFAULT 0 CHECK (cancel_asked IN (0, 1))
) STRICT;

CREATE TABLE run_case (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  spec TEXT NOT NULL CHECK (json_valid(spec)),
  model_hash TEXT REFERENCES model (hash),
  status TEXT NOT NULL CHECK (status IN (${oneOf(caseStatuses)})),
  reason TEXT,
  sparsity_achieved REAL,
  seconds REAL,
  notes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(notes)),
  environment_id INTEGER REFERENCES environment (id),
  ended_at INTEGER,
  UNIQUE (run_id, position)
) STRICT;

CREATE TABLE case_layer (
  case_id INTEGER NOT NULL REFERENCES run_case (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  layer TEXT NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN (${oneOf(caseStatuses)})),
  reason TEXT,
  sparsity_achieved REAL,
  PRIMARY KEY (case_id, position)
) STRICT, WITHOUT ROWID;

-- layer_position -1 is the case as a whole. SQLite stores -0.0 as 0, so its sign has a column of its own.
CREATE TABLE metric_value (
  case_id INTEGER NOT NULL REFERENCES run_case (id) ON DELETE CASCADE,
  layer_position INTEGER NOT NULL CHECK (layer_position >= -1),
  metric TEXT NOT NULL,
  value REAL,
  negative_zero INTEGER NOT NULL DEFAULT 0 CHECK (negative_zero IN (0, 1)),
  unit TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (case_id, layer_position, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample_set (
  id INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES run_case (id) ON DELETE CASCADE,
  layer TEXT,
  metric TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  data BLOB NOT NULL CHECK (length(data) = 8 * count)
) STRICT;
CREATE INDEX sample_set_case ON sample_set (case_id);

CREATE TABLE run_event (
  run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  at INTEGER NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
`

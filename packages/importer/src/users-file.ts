import { sha256Hex } from '@tollgate/kit/ids'
import { SourceError, type SourceRow } from './source.ts'

/** Rows in the form of new-api, made of a file of users for everybody who comes from elsewhere. */
export interface UsersFile {
  readonly users: readonly SourceRow[]
  readonly tokens: readonly SourceRow[]
}

const LINES_MAX = 100_000

/** Columns of the file, which is comma-separated with a first line of names. `quota` and `token_quota` are units. */
const COLUMNS = [
  'username',
  'email',
  'display_name',
  'group',
  'quota',
  'role',
  'password_hash',
  'remark',
  'token_name',
  'token_key',
  'token_quota',
  'token_expires',
] as const

/** A user may stand in several lines, one for each token; the first one says who it is. */
export function readUsersFile(text: string): UsersFile {
  const [names = [], ...lines] = parseCsv(text)
  const unknown = names.find((name) => !COLUMNS.some((column) => column === name))
  if (unknown !== undefined)
    throw new SourceError(`The file of users has a column ${unknown}; there are: ${COLUMNS.join(', ')}.`)
  if (!names.includes('username')) throw new SourceError('The file of users has no column username.')
  if (lines.length > LINES_MAX) throw new SourceError(`The file of users has more than ${LINES_MAX} lines.`)
  const users = new Map<string, SourceRow>()
  const tokens: SourceRow[] = []
  for (const [place, line] of lines.entries()) {
    const cell = (name: (typeof COLUMNS)[number]): string => line[names.indexOf(name)]?.trim() ?? ''
    const username = cell('username')
    if (username === '') throw new SourceError(`Line ${place + 2} of the file of users has no username.`)
    const owner = users.get(username) ?? userRow(cell, users.size + 1)
    users.set(username, owner)
    if (cell('token_name') !== '' || cell('token_key') !== '')
      tokens.push(tokenRow(cell, { id: tokens.length + 1, ownerId: owner['id'] ?? 0n, line: place + 2 }))
  }
  return { users: [...users.values()], tokens }
}

type ReadCell = (name: (typeof COLUMNS)[number]) => string

function userRow(cell: ReadCell, id: number): SourceRow {
  return {
    id: BigInt(id),
    username: cell('username'),
    email: cell('email'),
    display_name: cell('display_name'),
    group: cell('group') || 'default',
    quota: readWhole(cell('quota')),
    used_quota: 0n,
    role: readWhole(cell('role') || '1'),
    status: 1n,
    password: cell('password_hash'),
    remark: cell('remark'),
  }
}

function tokenRow(
  cell: ReadCell,
  { id, ownerId, line }: { id: number; ownerId: SourceRow[string]; line: number },
): SourceRow {
  const ends = cell('token_expires')
  const endMs = ends === '' ? undefined : Date.parse(ends)
  if (endMs !== undefined && Number.isNaN(endMs))
    throw new SourceError(`Line ${line} of the file of users: token_expires is no date.`)
  const quota = cell('token_quota')
  return {
    id: BigInt(id),
    user_id: ownerId,
    name: cell('token_name') || `token ${id}`,
    ...readKey(cell('token_key')),
    status: 1n,
    expired_time: endMs === undefined ? -1n : BigInt(Math.max(1, Math.floor(endMs / 1000))),
    unlimited_quota: quota === '' ? 1n : 0n,
    remain_quota: readWhole(quota),
    used_quota: 0n,
  }
}

/** A dash ends a key of ours, so one that has a dash is kept by the hash of its whole text. */
function readKey(text: string): SourceRow {
  const key = text.replace(/^sk-/, '')
  if (!key.includes('-')) return { key }
  return { key: '', whole_key_hash: sha256Hex(text), key_preview: `${text.slice(0, 3)}***${text.slice(-3)}` }
}

function readWhole(text: string): bigint {
  if (text !== '' && !/^-?\d{1,18}$/.test(text))
    throw new SourceError(
      `The file of users has ${JSON.stringify(text.slice(0, 40))} where a whole number is needed.`,
    )
  return BigInt(text || 0)
}

/** RFC 4180: quotes may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  const body = text.replace(/^\uFEFF/, '')
  while (cell.lastIndex < body.length) {
    const match = cell.exec(body)
    if (!match) throw new SourceError('The file of users is no CSV: a quotation mark is not closed.')
    const [, quoted, plain = '', end] = match
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',' && end !== '') lines.push([])
  }
  return lines.filter((line) => line.some((value) => value.trim() !== ''))
}

import type { LogRow } from '@tollgate/contract/log'
import { USER_ROLE } from '@tollgate/kit/codes'
import { logTextContext, readLogTexts } from '@tollgate/store/logs/texts'
import { deletedAmong } from '@tollgate/store/accounts/managed-users'
import type { Actor } from '../handler.ts'
import type { Services } from '../services.ts'
import { otherMembers, withoutTexts } from './wire.ts'

export interface TextReader {
  readonly actor: Actor
  readonly address: string
  readonly isOwn: boolean
}

/**
 * Adds the prompt and response texts of calls for readers whom the site setting permits, and removes them for
 * everyone else. Texts of deleted users are shown to nobody. Reading another user's texts is recorded in the
 * audit trail.
 */
export async function withTexts(
  services: Services,
  rows: readonly LogRow[],
  reader: TextReader,
): Promise<LogRow[]> {
  if (!mayRead(services, reader)) return rows.map(withoutTexts)
  const { store, logs = store } = services
  const ids = rows.map(({ request_id: id }) => id).filter((id) => id !== '')
  const sealed = await readLogTexts(logs, ids)
  const said = rows.filter(({ request_id: id }) => sealed.has(id))
  const deleted = await deletedAmong(store, [...new Set(said.map(({ user_id: id }) => id))])
  await note(
    services,
    said.filter(({ user_id: id }) => !deleted.has(id)),
    reader,
  )
  return rows.map((row) =>
    deleted.has(row.user_id) ? withoutTexts(row) : withText(services, row, sealed.get(row.request_id)),
  )
}

/**
 * When texts of several users are read at once, the audit row's subject names up to this many; its details
 * name all.
 */
const NAMED_MAX = 10

async function note({ audit }: Services, read: readonly LogRow[], reader: TextReader): Promise<void> {
  const others = read.filter(({ user_id: id }) => id !== reader.actor.id)
  if (others.length === 0) return
  const users = [...new Set(others.map(({ user_id: id }) => id))]
  await audit(reader, {
    action: 'read',
    entity: 'log-text',
    entityId: users.slice(0, NAMED_MAX).join(', '),
    after: { users, calls: others.map(({ request_id: id }) => id) },
  })
}

function mayRead({ options }: Services, { actor, isOwn }: Pick<TextReader, 'actor' | 'isOwn'>): boolean {
  const readers = options.get('log_setting.chat_readers')
  if (readers === 'root') return actor.role >= USER_ROLE.root
  return actor.role >= USER_ROLE.admin || (readers === 'owner' && isOwn)
}

function withText({ cipher }: Services, row: LogRow, sealed: string | undefined): LogRow {
  if (sealed === undefined) return row
  let text: string
  try {
    text = cipher.decrypt(sealed, logTextContext(row.request_id))
  } catch {
    // The text was encrypted with a key that is lost; the row is returned without it.
    return row
  }
  return { ...row, other: JSON.stringify({ ...otherMembers(row.other), ...otherMembers(text) }) }
}

import type { LogRow } from '@tollgate/contract/log'
import { logTextContext, readLogTexts } from '@tollgate/store/log-texts'
import type { Actor } from '../handler.ts'
import type { Services } from '../services.ts'
import { otherMembers, withoutTexts } from './wire.ts'

const ADMIN = 10
const ROOT = 100

export interface TextReader {
  readonly actor: Actor
  /** The rows are the reader's own. */
  readonly isOwn: boolean
}

/** The rows with what was said in their calls, for whom the site lets read it; for everybody else with nothing of it. */
export async function withTexts(
  services: Services,
  rows: readonly LogRow[],
  reader: TextReader,
): Promise<LogRow[]> {
  if (!mayRead(services, reader)) return rows.map(withoutTexts)
  const { store, logs = store } = services
  const ids = rows.map(({ request_id: id }) => id).filter((id) => id !== '')
  const sealed = await readLogTexts(logs, ids)
  return rows.map((row) => withText(services, row, sealed.get(row.request_id)))
}

function mayRead({ options }: Services, { actor, isOwn }: TextReader): boolean {
  const readers = options.get('log_setting.chat_readers')
  if (readers === 'root') return actor.role >= ROOT
  return actor.role >= ADMIN || (readers === 'owner' && isOwn)
}

function withText({ seal }: Services, row: LogRow, sealed: string | undefined): LogRow {
  if (sealed === undefined) return row
  let text: string
  try {
    text = seal.open(sealed, logTextContext(row.request_id))
  } catch {
    // Sealed with a key that is gone: the row is as good without.
    return row
  }
  return { ...row, other: JSON.stringify({ ...otherMembers(row.other), ...otherMembers(text) }) }
}

import { type ReceiverKind, type StoredReceiver, receiverForms } from '@tollgate/contract/alert-receivers'
import { optionDefinition, parseOption } from '@tollgate/contract/options/index'
import type { Cipher } from '@tollgate/kit/cipher'
import { listOptions, removeOptions, writeOption } from '@tollgate/store/operations/options'
import type { Db } from '@tollgate/store/tables/schema'
import type { Logger } from 'pino'
import { optionCipherContext } from '../snapshots/site-settings.ts'

interface Parts {
  readonly db: Db
  readonly cipher: Cipher
  readonly log: Logger
}

/** The settings that had one receiver of each kind, by the fields of a receiver. */
const OLD: Readonly<Record<ReceiverKind, Readonly<Record<string, string>>>> = {
  mail: { to: 'AlertMail' },
  feishu: { url: 'AlertFeishuUrl', secret: 'AlertFeishuSecret' },
  dingtalk: { url: 'AlertDingTalkUrl', secret: 'AlertDingTalkSecret' },
  wecom: { url: 'AlertWeComUrl' },
  slack: { url: 'AlertSlackUrl' },
  telegram: { token: 'AlertTelegramToken', chat: 'AlertTelegramChat', url: 'AlertTelegramUrl' },
  bark: { url: 'AlertBarkUrl' },
  ntfy: { url: 'AlertNtfyUrl', token: 'AlertNtfyToken' },
  webhook: { url: 'AlertWebhookUrl', secret: 'AlertWebhookSecret' },
}
const OLD_KEYS = Object.values(OLD).flatMap((fields) => Object.values(fields))
/** They were stored in clear. */
const NOT_SECRET = ['AlertMail', 'AlertTelegramChat', 'AlertTelegramUrl']
const KEY = 'AlertReceivers'

/**
 * Moves the receivers of earlier versions into the list of receivers. Their ids are their kinds, so that messages that
 * wait in the outbox find them. Runs before anything reads the settings.
 */
export async function moveAlertReceivers({ db, cipher, log }: Parts): Promise<void> {
  const rows = new Map((await listOptions(db)).map((row) => [row.key, row]))
  const found = OLD_KEYS.filter((key) => rows.has(key))
  if (found.length === 0) return
  const valueOf = (key: string): string => {
    const text = rows.get(key)?.value ?? ''
    return text === '' || NOT_SECRET.includes(key) ? text : cipher.decrypt(text, `option:${key}`)
  }
  const list = rows.get(KEY)
  const parsed = parseOption(KEY, list?.value ? cipher.decrypt(list.value, optionCipherContext(KEY)) : '')
  if (parsed.type !== 'accepted')
    return log.warn(
      'the stored receivers of alerts cannot be read; those of earlier versions stay where they are',
    )
  const moved = oldReceivers(valueOf).filter(({ id }) => parsed.value.every((one) => one.id !== id))
  const text = optionDefinition(KEY).print([...parsed.value, ...moved])
  await db.transaction().execute(async (transaction) => {
    if (moved.length > 0)
      await writeOption(transaction, {
        key: KEY,
        value: cipher.encrypt(text, optionCipherContext(KEY)),
        shownValue: '[secret]',
        shownBefore: () => '[secret]',
        nowMs: Date.now(),
        actorId: 0,
      })
    await removeOptions(transaction, found)
  })
  if (moved.length > 0)
    log.info({ receivers: moved.map(({ id }) => id) }, 'moved the receivers of alerts into their list')
}

/** Also those in which something is missing, so that nothing that was entered is lost. */
function oldReceivers(valueOf: (key: string) => string): readonly StoredReceiver[] {
  const kinds = Object.keys(OLD).filter(isKind)
  return kinds.flatMap((kind) => {
    const { title, fields: known } = receiverForms[kind]
    const fields = Object.fromEntries(Object.entries(OLD[kind]).map(([name, key]) => [name, valueOf(key)]))
    const isEmpty = Object.entries(fields).every(
      ([name, value]) => value === '' || value === known[name]?.default,
    )
    if (isEmpty) return []
    const whole = Object.entries(fields).map(([name, value]) => [name, value || (known[name]?.default ?? '')])
    return [{ id: kind, name: title.en, kind, fields: Object.fromEntries(whole) }]
  })
}

function isKind(name: string): name is ReceiverKind {
  return Object.hasOwn(OLD, name)
}

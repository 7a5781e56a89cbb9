import type { alertRoutes } from '@tollgate/contract/alert'
import {
  RECEIVERS_MAX,
  type ReceiverFields,
  type ReceiverKind,
  type StoredReceiver,
  faultyField,
  receiverForms,
} from '@tollgate/contract/alert-receivers'
import { optionDefinition, parseOption } from '@tollgate/contract/options/index'
import { randomToken } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/problems/problem'
import { findOption, writeOption } from '@tollgate/store/operations/options'
import type { Db } from '@tollgate/store/tables/schema'
import { optionCipherContext } from '../../snapshots/site-settings.ts'
import type { ChangeRow, ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireReceiver } from './read-receivers.ts'

const KEY = 'AlertReceivers'
const HIDDEN = '[secret]'
const ID_CHARACTERS = 10

/** What the history of settings keeps. */
const shown = (value: string): string => (value === '' ? '' : HIDDEN)

interface Edit {
  readonly receivers: readonly StoredReceiver[]
  readonly receiver: StoredReceiver
  readonly row: Pick<ChangeRow, 'before' | 'after'>
}

/** All receivers are one encrypted setting; each change reads it and writes it in one transaction. */
export function changeReceivers(services: Services) {
  const { cipher, clock, options } = services

  async function readAll(db: Db) {
    const row = await findOption(db, KEY)
    const text = row?.value ? cipher.decrypt(row.value, optionCipherContext(KEY)) : ''
    const parsed = parseOption(KEY, text)
    // Otherwise the next change would replace all of them.
    if (parsed.type !== 'accepted') throw new Error('the stored receivers of alerts cannot be read')
    return { version: row?.version ?? 0, receivers: parsed.value }
  }

  async function writeAll(
    db: Db,
    by: ChangedBy,
    { receivers, version }: { readonly receivers: readonly StoredReceiver[]; readonly version: number },
  ): Promise<void> {
    const text = optionDefinition(KEY).print(receivers)
    const isWritten = await writeOption(db, {
      key: KEY,
      value: text === '' ? '' : cipher.encrypt(text, optionCipherContext(KEY)),
      shownValue: shown(text),
      shownBefore: shown,
      nowMs: clock.nowMs(),
      actorId: by.actor.id,
      expectedVersion: version,
    })
    if (!isWritten) throw problem('option_version_changed', { key: KEY })
  }

  function write(
    by: ChangedBy,
    action: string,
    edit: (receivers: readonly StoredReceiver[]) => Edit,
  ): Promise<Edit> {
    return services.change(by, {
      action,
      entity: 'alert-receiver',
      work: async (transaction) => {
        const { version, receivers } = await readAll(transaction)
        const edited = edit(receivers)
        await writeAll(transaction, by, { receivers: edited.receivers, version })
        return edited
      },
      row: ({ receiver, row }) => ({ entityId: receiver.id, ...row, notice: 'options' }),
    })
  }

  const create: Handler<typeof alertRoutes.createReceiver> = async (call) => {
    const { name, kind, fields } = call.body
    requireFields(kind, fields, call.language)
    const receiver = { id: randomToken(ID_CHARACTERS), name, kind, fields }
    await write(call, 'create', (receivers) => {
      if (receivers.length >= RECEIVERS_MAX) throw problem('alert_receivers_full', { most: RECEIVERS_MAX })
      return { receivers: [...receivers, receiver], receiver, row: { after: audited(receiver) } }
    })
    return wireReceiver(options, receiver)
  }

  const update: Handler<typeof alertRoutes.updateReceiver> = async (call) => {
    const { name, fields } = call.body
    const { receiver } = await write(call, 'update', (receivers) => {
      const before = findReceiver(receivers, call.params.id)
      const receiver = { ...before, name, fields: mergedFields(before, fields) }
      requireFields(before.kind, receiver.fields, call.language)
      return {
        receivers: receivers.map((one) => (one === before ? receiver : one)),
        receiver,
        row: { before: audited(before), after: audited(receiver) },
      }
    })
    return wireReceiver(options, receiver)
  }

  const remove: Handler<typeof alertRoutes.removeReceiver> = async (call) => {
    await write(call, 'remove', (receivers) => {
      const receiver = findReceiver(receivers, call.params.id)
      return {
        receivers: receivers.filter((one) => one !== receiver),
        receiver,
        row: { before: audited(receiver) },
      }
    })
    return null
  }

  return { create, update, remove }
}

function findReceiver(receivers: readonly StoredReceiver[], id: string): StoredReceiver {
  const receiver = receivers.find((one) => one.id === id)
  if (receiver === undefined) throw problem('alert_receiver_unknown')
  return receiver
}

function requireFields(kind: ReceiverKind, fields: ReceiverFields, language: Language): void {
  const name = faultyField(kind, fields)
  if (name === undefined) return
  throw problem('alert_receiver_field', { field: receiverForms[kind].fields[name]?.label[language] ?? name })
}

/** Secrets that are not sent are kept, but never for another address: its owner could read them. */
function mergedFields({ kind, fields: stored }: StoredReceiver, sent: ReceiverFields): ReceiverFields {
  const secrets = Object.entries(receiverForms[kind].fields).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  )
  const kept = secrets.filter((name) => sent[name] === undefined && (stored[name] ?? '') !== '')
  const { url } = sent
  if (url !== undefined && url !== stored['url'] && kept.length > 0)
    throw problem('alert_receiver_secrets_again')
  return { ...Object.fromEntries(kept.map((name) => [name, stored[name] ?? ''])), ...sent }
}

/** What the audit log keeps: no address, because it is a credential. */
function audited({ name, kind }: StoredReceiver) {
  return { name, kind }
}

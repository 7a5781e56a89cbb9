import type { EmbeddedStore } from '@tollgate/store/sqlite/open-sqlite-store'
import type { CommandContext, Command } from '../core/command.ts'
import type { LedgerStorage, Reply } from '../core/storage.ts'
import { countAlive } from '../live-instances.ts'
import { readAllottedAccounts } from '../own-allotments.ts'
import { forgetJournal, readPositions, readStates } from '../journal-positions.ts'
import { readBalance, readGauges } from '../reads.ts'
import { decodeAllotments } from './allotment-wire.ts'
import { encodeCommand } from './command-wire.ts'
import { encodeRange } from './range-wire.ts'
import { decodeFold, decodeReply } from './reply-wire.ts'
import { decodeReport } from './report-wire.ts'
import { WireTexts, type WireValue, parseWire } from './wire.ts'

/**
 * The main thread's side of the storage: encodes commands, sends them to the writer thread and decodes the
 * replies.
 */
export async function openSqliteStorage(store: EmbeddedStore): Promise<LedgerStorage> {
  const { remote, db, isGuest } = store
  await remote.load(new URL('./remote.ts', import.meta.url))
  return {
    async run(commands, circumstances) {
      return decodeReplies(commands, await remote.call('ledger.run', encodeBatch(commands, circumstances)))
    },
    async start(circumstances) {
      const name = isGuest ? 'ledger.join' : 'ledger.start'
      await remote.call(name, encodeCircumstances(circumstances))
    },
    async recover(circumstances) {
      if (isGuest) return { recovered: 0, openHolds: 0 }
      const recovered = await remote.call('ledger.recover', encodeCircumstances(circumstances))
      return { recovered: Number(recovered), openHolds: 0 }
    },
    fold: async (range, circumstances) =>
      decodeFold(await remote.call('ledger.fold', encodeRange(range, circumstances))),
    // By the writer: a reader may still see what was there before.
    readAllotments: async ({ accounts, fileId }, { instanceId }) =>
      decodeAllotments(
        await remote.call('ledger.allotments', JSON.stringify([instanceId, fileId, accounts])),
      ),
    allottedAccounts: (instanceId) => readAllottedAccounts(db, instanceId),
    positions: () => readPositions(db),
    statesOf: (ids) => readStates(db, ids),
    liveInstances: () => countAlive(db),
    forgetJournal: (fileId) => forgetJournal(db, fileId),
    async end(circumstances) {
      await remote.call('ledger.end', encodeCircumstances(circumstances))
    },
    balance: (account) => readBalance(db, account),
    async rollUp(circumstances) {
      const payload = encodeCircumstances(circumstances)
      while ((await remote.call('ledger.roll-up', payload)) === 'more');
    },
    async clean(beforeMs) {
      let removed = 0
      for (;;) {
        const step = Number(await remote.call('ledger.clean', String(beforeMs)))
        if (step === 0) return removed
        removed += step
      }
    },
    async audit() {
      const url = new URL('./audit-remote.ts', import.meta.url)
      return decodeReport(await remote.callOnReader({ url, name: 'ledger.audit', payload: '' }))
    },
    gauges: (nowMs) => readGauges(db, nowMs),
  }
}

function encodeBatch(commands: readonly Command[], { nowMs, instanceId }: CommandContext): readonly string[] {
  const texts = new WireTexts()
  return texts.beside([nowMs, instanceId, commands.map((command) => encodeCommand(command, texts))])
}

function encodeCircumstances({ nowMs, instanceId }: CommandContext): string {
  return JSON.stringify([nowMs, instanceId])
}

function decodeReplies(commands: readonly Command[], text: string): readonly Reply[] {
  const values: readonly WireValue[] = parseWire(text)
  return commands.map(({ type }, index) => decodeReply(type, values[index] ?? 'the writer gave no answer'))
}

import type { SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { Payload, RemoteFunctions } from '@tollgate/store/sqlite/engine'
import { foldNow } from '../core/fold-parts.ts'
import { RangeReader } from '../journal/read-range.ts'
import { BatchRunner } from './batch-runner.ts'
import { decodeCommand } from './command-wire.ts'
import { TotalsMaintenance } from './totals-maintenance.ts'
import { encodeAllotments } from './allotment-wire.ts'
import { decodeRange } from './range-wire.ts'
import { encodeFold, encodeReply } from './reply-wire.ts'
import { endInstance, joinInstance, recoverDead, recoverDeadInstance, startInstance } from './instances.ts'
import { WireReader } from './wire.ts'

/** Registers the ledger's functions in the store's writer thread, next to the writing connection. */
export function register(connection: SqliteConnection): RemoteFunctions {
  const runner = new BatchRunner(connection)
  const journals = new RangeReader()
  const housekeeping = new TotalsMaintenance(connection)
  return {
    'ledger.run': (payload) => runBatch(runner, payload),
    'ledger.start': (payload) => startInstance(connection, circumstancesOf(payload)),
    'ledger.join': (payload) => joinInstance(connection, circumstancesOf(payload)),
    'ledger.recover': (payload) => String(recoverDead({ connection, runner }, circumstancesOf(payload))),
    'ledger.fold': (payload) => {
      const { context, range } = decodeRange(payload)
      const content = journals.read(range, (fileId) => runner.positionOf(fileId))
      return encodeFold(foldNow(range, content, (input) => runner.fold(input, context)))
    },
    'ledger.allotments': (payload) => {
      const wire = WireReader.parse(payload)
      const [instanceId, fileId] = [wire.text(), wire.text()]
      const rows = runner.readAllotments(instanceId, wire.list().map(Number))
      return encodeAllotments({ position: runner.positionOf(fileId), rows })
    },
    'ledger.bury': (payload) => {
      const wire = WireReader.parse(payload)
      const circumstances = { nowMs: wire.number(), instanceId: wire.text() }
      return String(recoverDeadInstance({ connection, runner }, wire.text(), circumstances))
    },
    'ledger.end': (payload) => endInstance(connection, circumstancesOf(payload)),
    'ledger.roll-up': (payload) => housekeeping.rollUp(circumstancesOf(payload)),
    'ledger.clean': (payload) => housekeeping.clean(Number(payload)),
  }
}

function runBatch(runner: BatchRunner, payload: Payload): string {
  const wire = WireReader.parse(payload)
  const circumstances = { nowMs: wire.number(), instanceId: wire.text() }
  const commands = wire.readers().map(decodeCommand)
  const replies = runner.run(commands, circumstances)
  return JSON.stringify(commands.map(({ type }, index) => encodeReply(type, replyAt(replies, index))))
}

function replyAt<T>(replies: readonly T[], index: number): T {
  const reply = replies[index]
  if (reply === undefined) throw new RangeError('a batch answers every command')
  return reply
}

function circumstancesOf(payload: Payload): { nowMs: number; instanceId: string } {
  const wire = WireReader.parse(payload)
  return { nowMs: wire.number(), instanceId: wire.text() }
}

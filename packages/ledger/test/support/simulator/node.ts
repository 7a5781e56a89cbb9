import type { Clock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import { ServerPool } from '@tollgate/store/server/pool'
import type { LedgerStorage } from '../../../src/core/storage.ts'
import { createLedger } from '../../../src/create-ledger.ts'
import type { Ledger } from '../../../src/ledger.ts'
import { Instance, type InstanceParts } from '../../../src/server/instance.ts'
import { BatchQueue } from '../../../src/server/batch-queue.ts'
import { Reaper } from '../../../src/server/reaper.ts'
import type { Statements } from '../../../src/server/statements.ts'
import { Writer } from '../../../src/writer.ts'
import type { SimulatedDatabase } from './database.ts'
import type { ProcessCommand } from './process-commands.ts'
import { Wire } from './wire.ts'

/** The ledger of a gateway with the production code, except for its database and clock. */
export interface Node {
  readonly name: string
  readonly ledger: Promise<Ledger>
  /** Carries out a command that a process submits for itself, not for a caller. */
  readonly submit: (command: ProcessCommand) => Promise<unknown>
  readonly wires: readonly Wire[]
  /** Names for its calls and keys, which no other living node uses. */
  readonly town: { readonly name: string; readonly firstOwner: number }
  isPaused: boolean
  /** Its process has ended. */
  isGone: boolean
}

export interface NodeParts extends Required<Pick<InstanceParts, 'onDecided' | 'pause'>> {
  readonly name: string
  readonly database: SimulatedDatabase
  readonly statements: Statements
  readonly isReachable: () => boolean
  readonly onConnect: (wire: Wire) => void
}

export function startNode(parts: NodeParts): Node {
  const { name, database, isReachable, onConnect } = parts
  const wires: Wire[] = []
  let node: Node | undefined
  const connect = async (): Promise<Wire> => {
    // A node that is gone gets no connection any more.
    if (node?.isGone) return new Promise(() => undefined)
    if (!isReachable()) throw new StoreError('unreachable', 'nothing listens there')
    const wire = new Wire(database, name)
    wires.push(wire)
    onConnect(wire)
    return wire
  }
  const pool = new ServerPool({ connect, connectionsMax: 2, waitMs: 60_000, idleMs: 600_000 })
  const clock: Clock = { nowMs: () => database.nowMs, monotonicMs: () => database.nowMs }
  const storage = storageOver({ pool, connect }, parts)
  const ledger = createLedger(storage, { clock, instanceId: name })
  const quiet = { onAlarm: () => undefined, onDecided: () => undefined }
  const writer = new Writer({ storage, clock, instanceId: name, ...quiet })
  const submit = async ({ type, input }: ProcessCommand): Promise<unknown> => {
    await ledger
    return writer.submit(type, input)
  }
  const town = { name, firstOwner: 1 }
  node = { name, ledger, submit, wires, town, isPaused: false, isGone: false }
  return node
}

/** The storage of a database server, without totals and other reads. */
function storageOver(
  server: ServerAccess,
  { statements, pause, onDecided }: Pick<NodeParts, 'statements' | 'pause' | 'onDecided'>,
): LedgerStorage {
  const instance = new Instance({ server, statements, pause, onDecided })
  const lane = new BatchQueue(instance)
  const reaper = new Reaper({ server, statements, lane, instance })
  return {
    run: (commands, circumstances) => lane.run(commands, circumstances),
    start: (circumstances) => lane.inTurn(() => instance.enter(circumstances)),
    recover: async ({ nowMs }) => {
      const { recovered } = await reaper.reap(nowMs)
      return { recovered, openHolds: 0 }
    },
    fold: () => Promise.reject(new Error('nodes fold by their own commands')),
    readAllotments: async () => ({ position: 0, rows: [] }),
    allottedAccounts: async () => [],
    positions: async () => [],
    statesOf: async () => new Map(),
    liveInstances: async () => 1,
    forgetJournal: async () => undefined,
    end: () => lane.inTurn(() => instance.leave()),
    rollUp: async ({ nowMs }) => {
      await lane.aside(nowMs, () => instance.beat(nowMs))
      const { failure } = await reaper.reap(nowMs)
      if (failure !== undefined) throw new Error(failure)
    },
    counts: () => ({ recovered: 0, retried: instance.retried, confirmed: instance.confirmed }),
    balance: async () => undefined,
    clean: async () => 0,
    audit: () => Promise.reject(new Error('the judge audits')),
    gauges: async () => ({ openHolds: 0, oldestHoldMs: 0, debtTotal: 0n, interrupted: 0 }),
  }
}

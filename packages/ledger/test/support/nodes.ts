import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { childProgram } from '@tollgate/testkit/child-program'
import { ManualClock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { type TestDatabase, type TestServer, answeringServers } from '@tollgate/testkit/databases'
import type { Alarm, Command } from '../../src/core/command.ts'
import type { Ledger } from '../../src/ledger.ts'
import { openLedger } from '../../src/open-ledger.ts'

/** The database servers that are reachable, as a table for `describe.each`. */
export const servers: readonly TestServer[] = await answeringServers()

/** A database and the nodes that use it. */
export interface Town {
  readonly database: TestDatabase
  /**
   * Starts a node in this process with its own connections; `dsn` overrides the route to the database, for
   * example through a proxy.
   */
  readonly enter: (name: string, dsn?: string, journalFolder?: string) => Promise<Node>
  /** Starts a node in a separate process. */
  readonly start: (name: string) => Promise<NodeProcess>
  /** Ends every node in this process except the first. */
  readonly empty: () => Promise<void>
  /** Ends everything and drops the database. */
  readonly leave: () => Promise<void>
}

export interface Node {
  readonly name: string
  readonly store: Store
  readonly ledger: Ledger
  readonly alarms: readonly Alarm[]
  /** Closes its connections without a shutdown, as if its process were killed or cut off. */
  readonly die: () => Promise<void>
}

export async function openTown(server: TestServer): Promise<Town> {
  const database = await server.createMigrated()
  const nodes: Node[] = []
  const processes: NodeProcess[] = []
  return {
    database,
    enter: async (name, dsn = database.dsn, journalFolder) => {
      const node = await openNode({ name, dsn, journalFolder })
      nodes.push(node)
      return node
    },
    start: async (name) => {
      const process = await NodeProcess.start(database.dsn, name)
      processes.push(process)
      return process
    },
    empty: async () => {
      for (const node of nodes.splice(1)) await node.die()
    },
    leave: async () => {
      for (const process of processes) process.kill()
      for (const node of nodes) await node.die()
      await database.drop()
    },
  }
}

interface NodeInput {
  readonly name: string
  readonly dsn: string
  readonly journalFolder: string | undefined
}

async function openNode({ name, dsn, journalFolder }: NodeInput): Promise<Node> {
  const alarms: Alarm[] = []
  const store = await openStore({ dsn })
  const onAlarm = (alarm: Alarm): void => void alarms.push(alarm)
  const ledger = await openLedger({
    store,
    clock: new ManualClock(),
    instanceId: name,
    onAlarm,
    journalFolder,
  })
  return { name, store, ledger, alarms, die: () => store.close() }
}

/**
 * Simulates half a minute without a heartbeat of this node. A suspended node may hold a lock on its row until
 * the server ends its transaction, so this retries.
 */
export async function fallSilent(store: Store, name: string): Promise<void> {
  const silence = store.db.updateTable('instance').set({ heartbeat_ms: 0 }).where('id', '=', name)
  await expect
    .poll(() => silence.execute().then(() => 'silent', errorKind), { timeout: 60_000 })
    .toBe('silent')
}

function errorKind(error: unknown): string {
  if (error instanceof StoreError && error.kind === 'busy') return error.kind
  throw error
}

/** A ledger in a separate process, controlled by messages. */
export class NodeProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answers: readonly unknown[]) => void>()
  #last = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (message: Answered) => {
      this.#waiting.get(message.number)?.(message.answers)
      this.#waiting.delete(message.number)
    })
  }

  static async start(dsn: string, name: string): Promise<NodeProcess> {
    const child = fork(childProgram(new URL('node-child.ts', import.meta.url)), [dsn, name], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const node = new NodeProcess(child)
    await once(child, 'message')
    return node
  }

  /**
   * Performs the commands concurrently. Resolves to the result of each, or its error as text; never settles
   * when the process has died.
   */
  perform(commands: readonly Command[]): Promise<readonly unknown[]> {
    const number = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve)
      this.#child.send({ number, commands } satisfies Asked)
    })
  }

  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

export interface Asked {
  readonly number: number
  readonly commands: readonly Command[]
}
export interface Answered {
  readonly number: number
  readonly answers: readonly unknown[]
}

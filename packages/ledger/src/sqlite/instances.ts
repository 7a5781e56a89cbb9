import type { SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { CommandContext } from '../core/command.ts'
import type { StartReport } from '../core/storage.ts'
import type { BatchRunner } from './batch-runner.ts'

const RECOVERED_AT_ONCE = 500

interface Parts {
  readonly connection: SqliteConnection
  readonly runner: BatchRunner
}

/**
 * For the process that owns the file: no other process is running yet, so every hold of another instance is
 * orphaned. Recovery runs in steps; if it is interrupted, the next start continues.
 */
export function startInstance(parts: Parts, circumstances: CommandContext): StartReport {
  const { connection } = parts
  const recovered = recover(parts, { where: 'instance_id <> ?', id: circumstances.instanceId }, circumstances)
  connection.transaction(() => {
    connection.query("update instance set state = 'dead' where state = 'alive'", [])
    joinInstance(connection, circumstances)
  })
  return { recovered, openHolds: 0 }
}

/** For a process that writes through the owner of the file: holds of other instances are left alone. */
export function joinInstance(connection: SqliteConnection, { instanceId, nowMs }: CommandContext): void {
  connection.query("insert into instance (id, started_ms, heartbeat_ms, state) values (?, ?, ?, 'alive')", [
    instanceId,
    nowMs,
    nowMs,
  ])
}

/**
 * Recovers the holds of a process that has died. Call it only when no more of its messages can arrive.
 * Returns the number of holds.
 */
export function recoverDeadInstance(parts: Parts, dead: string, circumstances: CommandContext): number {
  const recovered = recover(parts, { where: 'instance_id = ?', id: dead }, circumstances)
  parts.connection.query("update instance set state = 'dead' where id = ? and state = 'alive'", [dead])
  return recovered
}

export function endInstance(connection: SqliteConnection, { instanceId, nowMs }: CommandContext): string {
  connection.query("update instance set state = 'ended', heartbeat_ms = ? where id = ?", [nowMs, instanceId])
  return ''
}

interface Dead {
  readonly where: string
  readonly id: string
}

function recover({ connection, runner }: Parts, { where, id }: Dead, circumstances: CommandContext): number {
  const deadHolds = connection.prepare(`select id from hold where ${where} limit ?`)
  let recovered = 0
  for (;;) {
    const ids = deadHolds.all(id, BigInt(RECOVERED_AT_ONCE)).map((row) => String(row[0]))
    if (ids.length === 0) return recovered
    const commands = ids.map((holdId) => ({ type: 'recover' as const, input: { holdId } }))
    const failed = runner.run(commands, circumstances).find((reply) => reply.type === 'failed')
    if (failed) throw new Error(`a hold could not be recovered: ${failed.detail}`)
    recovered += ids.length
  }
}

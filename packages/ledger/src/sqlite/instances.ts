import type { SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { Command, CommandContext } from '../core/command.ts'
import type { BatchRunner } from './batch-runner.ts'

const AT_ONCE = 500n

interface Parts {
  readonly connection: SqliteConnection
  readonly runner: BatchRunner
}

/**
 * For the process that owns the file: no other process is running yet, so every other instance is dead. Their
 * holds and allotments stay until {@link recoverDead}.
 */
export function startInstance(connection: SqliteConnection, circumstances: CommandContext): string {
  return connection.transaction(() => {
    connection.query("update instance set state = 'dead' where state = 'alive'", [])
    return joinInstance(connection, circumstances)
  })
}

/** For a process that writes through the owner of the file: other instances are left alone. */
export function joinInstance(connection: SqliteConnection, { instanceId, nowMs }: CommandContext): string {
  connection.query("insert into instance (id, started_ms, heartbeat_ms, state) values (?, ?, ?, 'alive')", [
    instanceId,
    nowMs,
    nowMs,
  ])
  return ''
}

/**
 * Ends the holds of all instances that are not alive and returns their allotments. Runs in steps; if it is
 * interrupted, the next start continues. Returns the number of holds.
 */
export function recoverDead(parts: Parts, circumstances: CommandContext): number {
  const isOfDead = "instance_id not in (select id from instance where state = 'alive')"
  const recovered = recover(parts, isOfDead, circumstances)
  reclaim(parts, isOfDead, circumstances)
  return recovered
}

/**
 * Declares an instance dead and recovers what it left. Call it only when no more of its messages can arrive,
 * and when its journal is folded. Returns the number of holds.
 */
export function recoverDeadInstance(parts: Parts, dead: string, circumstances: CommandContext): number {
  parts.connection.query("update instance set state = 'dead' where id = ? and state = 'alive'", [dead])
  return recoverDead(parts, circumstances)
}

export function endInstance(connection: SqliteConnection, { instanceId, nowMs }: CommandContext): string {
  connection.query("update instance set state = 'ended', heartbeat_ms = ? where id = ?", [nowMs, instanceId])
  return ''
}

function recover({ connection, runner }: Parts, isOfDead: string, circumstances: CommandContext): number {
  const deadHolds = connection.prepare(`select id from hold where ${isOfDead} limit ?`)
  let recovered = 0
  for (;;) {
    const ids = deadHolds.all(AT_ONCE).map((row) => String(row[0]))
    if (ids.length === 0) return recovered
    const commands = ids.map((holdId) => ({ type: 'recover' as const, input: { holdId } }))
    runAll(runner, commands, circumstances)
    recovered += ids.length
  }
}

function reclaim({ connection, runner }: Parts, isOfDead: string, circumstances: CommandContext): void {
  const rows = connection.prepare(`select instance_id, account_id from allotment where ${isOfDead} limit ?`)
  for (;;) {
    const commands = rows.all(AT_ONCE).map(([instanceId, account]) => ({
      type: 'reclaim' as const,
      input: { instanceId: String(instanceId), accounts: [Number(account)] },
    }))
    if (commands.length === 0) return
    runAll(runner, commands, circumstances)
  }
}

function runAll(runner: BatchRunner, commands: readonly Command[], circumstances: CommandContext): void {
  const failed = runner.run(commands, circumstances).find((reply) => reply.type === 'failed')
  if (failed) throw new Error(`what a dead instance left could not be recovered: ${failed.detail}`)
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { isCounted, readServerAddress, reportMissing } from './missing-servers.ts'

/** A Redis or Valkey server for tests; each test uses its own key prefix. */
export interface TestRedis {
  readonly url: string
  readonly host: string
  readonly port: number
}

/**
 * Returns the server at TOLLGATE_TEST_REDIS, or the one on this machine. If it does not respond, its tests
 * are skipped with a warning on the console, or the run fails when TOLLGATE_REQUIRE_SERVERS is set.
 */
export async function answeringRedis(): Promise<TestRedis | undefined> {
  const url = new URL(readServerAddress('redis'))
  const redis = { url: url.href, host: url.hostname, port: Number(url.port || 6379) }
  try {
    if (!isCounted('redis')) await ping(redis)
    return redis
  } catch (error) {
    reportMissing('redis', error)
    return undefined
  }
}

/** Any response will do: a server that requires a password is a Redis too. */
async function ping({ host, port }: TestRedis): Promise<void> {
  const socket = connect({ host, port, timeout: 3_000 })
  socket.once('timeout', () => socket.destroy(new Error('no answer')))
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    await once(socket, 'data')
  } finally {
    socket.destroy()
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endJobRun } from '@tollgate/store/operations/job-runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'

const TOKEN = 'a token for metrics'
const RULES = fileURLToPath(new URL('../../../../deploy/alerts.yml', import.meta.url))

/** `npm run test:ops` installs Prometheus and Alertmanager and sets the variable. */
const isAsked = process.env['TOLLGATE_TEST_OPS'] === '1'

describe.skipIf(!isAsked)('Prometheus and Alertmanager (npm run test:ops)', () => {
  let gateway: TestServer
  let folder = ''
  const children: ChildProcess[] = []
  const received: string[] = []
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      received.push(text)
      response.end()
    })
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-ops-'))
    gateway = await startTestServer({ isInMemory: true, environment: { METRICS_TOKEN: TOKEN } })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const [alerts, prometheus] = [await freePort(), await freePort()]
    await writeFile(join(folder, 'alertmanager.yml'), alertmanagerConfig(portOf(receiver)))
    await writeFile(join(folder, 'prometheus.yml'), prometheusConfig(new URL(gateway.address).host, alerts))
    children.push(
      run('prometheus-alertmanager', [
        '--config.file=alertmanager.yml',
        `--web.listen-address=127.0.0.1:${alerts}`,
        '--cluster.listen-address=',
        '--storage.path=alerts',
      ]),
      run('prometheus', [
        '--config.file=prometheus.yml',
        `--web.listen-address=127.0.0.1:${prometheus}`,
        '--storage.tsdb.path=series',
      ]),
    )
    port = prometheus
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    receiver.close()
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  })
  let port = 0

  function run(program: string, args: readonly string[]): ChildProcess {
    return spawn(program, args, { cwd: folder, stdio: 'ignore' })
  }

  test('Prometheus scrapes the gateway with the token as a password', async () => {
    await expect
      .poll(() => ask(port, 'tollgate_ledger_writable'))
      .toMatchObject([{ value: [expect.anything(), '1'] }])
  })

  test('an audit finding reaches a receiver through Alertmanager', async () => {
    const run = { name: 'audit', started_ms: 1, ended_ms: 2, next_ms: 3, outcome: 'ok' } as const
    await endJobRun(gateway.server.store.db, { ...run, figures: '{"findings":3}' })
    await expect.poll(() => received.join('\n')).toContain('TollgateAuditFinding')
    expect(received.join('\n')).toContain('The last audit of the ledger found 3 differences')
  })
})

function alertmanagerConfig(port: number): string {
  return `route: { receiver: hook, group_wait: 0s }
receivers:
  - name: hook
    webhook_configs: [{ url: 'http://127.0.0.1:${port}/' }]
`
}

function prometheusConfig(target: string, alerts: number): string {
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${RULES}']
alerting:
  alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:${alerts}'] }] }]
scrape_configs:
  - job_name: tollgate
    basic_auth: { username: prometheus, password: '${TOKEN}' }
    static_configs: [{ targets: ['${target}'] }]
`
}

async function ask(port: number, query: string): Promise<unknown> {
  const address = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
  const response = await fetch(address).catch(() => undefined)
  const answer: unknown = await response?.json()
  return answer && typeof answer === 'object' && 'data' in answer ? Object(answer.data).result : undefined
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

import process from 'node:process'
import type { AgentRun } from './run-agent.ts'

interface Row {
  /** "" for a library, which is no agent. */
  readonly package: string
  readonly version: string
  readonly namesNoSession: boolean
  readonly endsOnBreak: boolean
  readonly cells: Map<string, AgentRun>
}

/** Table of agents by vendors: what passed, and why the rest failed. */
export class Matrix {
  readonly columns: readonly string[]
  #rows = new Map<string, Row>()
  #leftOut: string[] = []

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  begin(agent: string, program: Omit<Row, 'cells'>): void {
    this.#rows.set(agent, { ...program, cells: new Map() })
  }

  /** Records an agent that could not be installed or started at all. */
  leaveOut(agent: string, reason: string): void {
    this.#leftOut.push(`${agent}: ${reason}`)
  }

  add(agent: string, column: string, run: AgentRun): void {
    this.#rows.get(agent)?.cells.set(column, run)
    const { faults } = run
    process.stdout.write(
      `${faults.length === 0 ? 'ok  ' : 'FAIL'} ${agent} before ${column}${faults.map((each) => `\n     ${each.slice(0, 300)}`).join('')}\n`,
    )
  }

  get isGreen(): boolean {
    return this.#runs().every(({ faults }) => faults.length === 0)
  }

  /** Number of different agents of which at least one task sent a request to the gateway. */
  get packagesRun(): number {
    const ran = [...this.#rows.values()].filter(
      (row) => row.package !== '' && [...row.cells.values()].some(hasCalled),
    )
    return new Set(ran.map((row) => row.package)).size
  }

  text(): string {
    const names = [...this.#rows].map(([agent, { version }]) => `${agent} ${version}`)
    const width = Math.max(5, ...names.map(({ length }) => length)) + 2
    const head = `${'agent'.padEnd(width)}${this.columns.map((column) => column.padEnd(14)).join('')}`
    const rows = [...this.#rows.values()].map(({ cells }, index) => {
      const marks = this.columns.map((column) => markOf(cells.get(column)).padEnd(14))
      return `${(names[index] ?? '').padEnd(width)}${marks.join('')}`
    })
    const passed = this.#runs().filter(({ faults }) => faults.length === 0).length
    const failed = this.#runs().length - passed
    const lines = [
      head,
      ...rows,
      '',
      ...this.#notes(),
      `${passed} passed, ${failed} failed, ${this.#leftOut.length} skipped`,
    ]
    return `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
  }

  /** Names the agents that cannot run without their vendor's servers, with the hosts they tried to reach. */
  #notes(): readonly string[] {
    const silent = [...this.#rows].filter(([, { namesNoSession }]) => namesNoSession)
    const mute = [...this.#rows].filter(([, { cells }]) => ![...cells.values()].some(hasCalled))
    const asked = [...this.#rows].flatMap(([agent, { cells }]) => {
      const hosts = new Set([...cells.values()].flatMap(({ outside }) => outside))
      return hosts.size === 0 ? [] : [`${agent} also wanted to reach ${[...hosts].join(', ')}`]
    })
    return [
      ...this.#leftOut,
      ...silent.map(
        ([agent, { cells }]) => `${agent} names no session: ${firstRequest([...cells.values()])}`,
      ),
      ...[...this.#rows].flatMap(([agent, { endsOnBreak }]) =>
        endsOnBreak ? [`${agent} ends when a stream breaks off; there only its bill is compared`] : [],
      ),
      ...mute.map(([agent, { cells }]) => `${agent} made no call: ${firstRequest([...cells.values()])}`),
      ...asked,
    ]
  }

  #runs(): readonly AgentRun[] {
    return [...this.#rows.values()].flatMap(({ cells }) => [...cells.values()])
  }
}

function hasCalled({ requests }: AgentRun): boolean {
  return requests.some(({ method, status }) => (method === 'POST' && status > 0) || status === 101)
}

function firstRequest(runs: readonly AgentRun[]): string {
  const request = runs.flatMap(({ requests }) => requests)[0]
  if (request) return `${request.method} ${request.path}`
  return runs.flatMap(({ outside }) => outside)[0] ?? 'no request was seen'
}

function markOf(run: AgentRun | undefined): string {
  if (!run) return '-'
  return run.faults.length === 0 ? 'pass' : 'FAIL'
}

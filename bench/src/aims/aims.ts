/** One performance aim of the hot path. */
export interface Aim {
  readonly name: string
  readonly unit: '%' | 'ms' | 'x' | '/s' | 'KB' | 'MiB'
  /** Whether more is better. */
  readonly bound: 'at least' | 'at most'
  readonly limit: number
  /** The options of `npm run bench --` that measure it. */
  readonly command: string
}

const atLeast = (limit: number, unit: Aim['unit'], name: string, command: string): Aim => {
  return { name, unit, bound: 'at least', limit, command }
}
const atMost = (limit: number, unit: Aim['unit'], name: string, command: string): Aim => {
  return { name, unit, bound: 'at most', limit, command }
}

const COMPARE = '--target bare,gateway --soak 0'
const BUSY = '--target gateway --kind whole --connections 256 --bundle --soak 0'
const USERS = '--target bare,gateway --kind whole --connections 32,256 --users 10000 --soak 0'
const NODES = '--target gateway --kind whole --connections 32 --store postgres --nodes 2 --soak 0'
const ledger = (store: string) => `ledger --store ${store} --only folded --seconds 60`
const hold = (store: string) => `--store ${store} --hold-rate 500`

/** All aims by the key under which a figure is stored. */
export const aims = {
  'whole-32': atLeast(70, '%', 'whole answers, 32 connections, of the bare relay', COMPARE),
  'whole-256': atLeast(70, '%', 'whole answers, 256 connections, of the bare relay', COMPARE),
  'users-32': atLeast(60, '%', 'the same with 10,000 users (Zipf), 32 connections', USERS),
  'users-256': atLeast(60, '%', 'the same with 10,000 users (Zipf), 256 connections', USERS),
  'whole-1-added': atMost(0.15, 'ms', 'whole answers, 1 connection: added median', COMPARE),
  'stream-32': atLeast(85, '%', 'streams of 200 frames, 32 connections, of the bare relay', COMPARE),
  'stream-256': atLeast(90, '%', 'streams of 200 frames, 256 connections, of the bare relay', COMPARE),
  'cpu-32': atMost(1.6, 'x', 'CPU per call of that of the bare relay, 32 connections', COMPARE),
  'folded-sqlite': atLeast(45_000, '/s', 'calls folded, sustained, SQLite', ledger('SQLite')),
  'folded-postgres': atLeast(20_000, '/s', 'calls folded, sustained, PostgreSQL', ledger('PostgreSQL')),
  'folded-mariadb': atLeast(12_500, '/s', 'calls folded, sustained, MariaDB', ledger('MariaDB')),
  'hold-median-postgres': atMost(
    0.1,
    'ms',
    '500 calls/s over PostgreSQL: the hold, median',
    hold('postgres'),
  ),
  'hold-p99-postgres': atMost(1, 'ms', '500 calls/s over PostgreSQL: the hold, p99', hold('postgres')),
  'hold-median-mariadb': atMost(0.1, 'ms', '500 calls/s over MariaDB: the hold, median', hold('mariadb')),
  'hold-p99-mariadb': atMost(1, 'ms', '500 calls/s over MariaDB: the hold, p99', hold('mariadb')),
  'two-nodes': atLeast(1.9, 'x', 'two nodes over one PostgreSQL, of the calls per CPU second of one', NODES),
  'stream-memory': atMost(20, 'KB', '10,000 open streams in one process: memory each', '--streams 10000'),
  'idle-memory': atMost(120, 'MiB', 'resident memory when idle', 'start'),
  'busy-memory': atMost(250, 'MiB', 'resident memory at 256 connections', BUSY),
  'watched-loss': atMost(3, '%', 'calls a second lost to metrics and traces', 'pairs'),
  ready: atMost(1_000, 'ms', 'time to ready on a database that exists', 'start'),
} satisfies Record<string, Aim>

export type AimKey = keyof typeof aims

/** What a run measured. */
export type AimFigures = Readonly<Partial<Record<AimKey, number>>>

export type AimStatus = 'met' | 'missed' | 'not measured'

export function judge({ bound, limit }: Aim, measured: number | undefined): AimStatus {
  if (measured === undefined || !Number.isFinite(measured)) return 'not measured'
  return (bound === 'at least' ? measured >= limit : measured <= limit) ? 'met' : 'missed'
}

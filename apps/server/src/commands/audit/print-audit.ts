import type { AccountKind } from '@tollgate/ledger/account'
import type { AuditFinding } from '@tollgate/ledger/audit-report'
import { type AuditResult, PARTS } from './run-audit.ts'

/** The ledger's invariants as formulas, for the printed report. */
const RULES = {
  I1: 'granted + debt = remaining + reserved + used',
  I2: 'nothing is below zero, and nothing is owed while something remains',
  I3: 'reserved are the open holds, granted are the credits and adjustments',
  I4: 'used are the entries, by user, token and channel',
  I5: 'every operation left one entry',
  I6: 'no settlement went beyond its ceiling, and what calls in flight may cost is counted',
  I7: 'what is acknowledged stays: journal, settings and pages are in order',
  I8: 'every hold that is open belongs to a call that has not ended',
  I9: 'every charge costs the same when it is computed again',
  I10: 'no charge and no credit is below zero',
  I11: 'a process without calls can spend all that is set aside for it',
} as const

const KINDS: readonly (readonly [AccountKind, string])[] = [
  ['user', 'users'],
  ['token', 'tokens'],
  ['affiliate', 'rewards'],
]

const FINDINGS_SHOWN = 20

export function printAudit(result: AuditResult): readonly string[] {
  const { name, report } = result
  const { accounts, entries, holds, durationMs } = report
  const findings = allFindings(result)
  return [
    `${name}: ${digits(accounts)} accounts, ${digits(entries)} entries, ${digits(holds)} open holds, checked in ${digits(Math.round(durationMs))} ms`,
    '',
    ...totalLines(result),
    '',
    ...Object.entries(RULES).map(([rule, text]) => ruleLine(rule, text, findings)),
    '',
    ...findings.slice(0, FINDINGS_SHOWN).map(describe),
    ...(findings.length > FINDINGS_SHOWN ? [`… and ${findings.length - FINDINGS_SHOWN} more`] : []),
    findings.length === 0 ? 'The books balance.' : `${digits(findings.length)} findings.`,
  ]
}

/** The result for programs. */
export function jsonAudit(result: AuditResult): unknown {
  const { name, report, totals } = result
  const { accounts, entries, holds, durationMs } = report
  return {
    database: name,
    accounts,
    entries,
    holds,
    durationMs: Math.round(durationMs),
    totals: Object.fromEntries(KINDS.map(([kind, title]) => [title, totals.get(kind) ?? { accounts: 0 }])),
    findings: allFindings(result),
  }
}

export function countFindings(result: AuditResult): number {
  return allFindings(result).length
}

interface Finding {
  readonly rule: AuditFinding['rule'] | 'I7'
  readonly account?: number
  readonly detail: string
}

function allFindings({ report, durability }: AuditResult): readonly Finding[] {
  return [...report.findings, ...durability.map((detail) => ({ rule: 'I7', detail }) as const)]
}

function totalLines({ totals }: AuditResult): readonly string[] {
  const row = (title: string, cell: (kind: AccountKind) => bigint | number): string =>
    [title.padEnd(10), ...KINDS.map(([kind]) => digits(cell(kind)).padStart(26))].join('')
  return [
    ['units'.padEnd(10), ...KINDS.map(([, title]) => title.padStart(26))].join(''),
    row('accounts', (kind) => totals.get(kind)?.accounts ?? 0),
    ...PARTS.map((part) => row(part, (kind) => totals.get(kind)?.[part] ?? 0n)),
  ]
}

function ruleLine(rule: string, text: string, findings: readonly Finding[]): string {
  const count = findings.filter((finding) => finding.rule === rule).length
  return `${rule.padEnd(4)} ${count === 0 ? 'holds ' : 'BROKEN'}  ${text}${count === 0 ? '' : `: ${count} findings`}`
}

function describe({ rule, account, detail }: Finding): string {
  return `${rule} ${account === undefined ? '' : `account ${account}: `}${detail}`
}

function digits(value: number | bigint): string {
  return value.toLocaleString('en')
}

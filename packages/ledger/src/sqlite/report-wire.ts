import type { AccountId } from '../account.ts'
import type { AuditFinding, AuditReport } from '../audit-report.ts'
import { WireReader, type WireValue, wireAmount } from './wire.ts'

type Audited = Omit<AuditReport, 'durationMs'>

export function encodeReport(report: Audited): string {
  const { granted, remaining, reserved, used, debt } = report.totals
  return JSON.stringify([
    report.accounts,
    report.entries,
    report.holds,
    [granted, remaining, reserved, used, debt].map(wireAmount),
    report.findings.map(({ rule, account, detail }) => [rule, account ?? null, detail]),
  ])
}

export function decodeReport(text: string): Audited {
  const wire = WireReader.parse(text)
  return {
    accounts: wire.number(),
    entries: wire.number(),
    holds: wire.number(),
    totals: decodeTotals(new WireReader(wire.list())),
    findings: wire.list().map(decodeFinding),
  }
}

function decodeTotals(wire: WireReader): Audited['totals'] {
  return {
    granted: wire.amount(),
    remaining: wire.amount(),
    reserved: wire.amount(),
    used: wire.amount(),
    debt: wire.amount(),
  }
}

function decodeFinding(value: WireValue): AuditFinding {
  const wire = new WireReader(value)
  const rule = asRule(wire.text())
  const account: AccountId | undefined = wire.optionalNumber()
  const detail = wire.text()
  return account === undefined ? { rule, detail } : { rule, account, detail }
}

/** Safe cast: only valid rules are encoded. */
function asRule(text: string): AuditFinding['rule'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return text as AuditFinding['rule']
}

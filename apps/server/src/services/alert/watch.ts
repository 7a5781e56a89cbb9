import type { JobFigures, JobsLog } from '../../jobs/job.ts'
import {
  countSentAlerts,
  insertOpenAlert,
  listOpenAlerts,
  removeOpenAlert,
} from '@tollgate/store/operations/alerts'
import type { Db } from '@tollgate/store/tables/schema'
import type { Outbox } from '../outbox/outbox.ts'
import type { AlertMessage } from './receivers.ts'
import {
  type AlertRule,
  type AlertRuleName,
  FINDINGS_MAX,
  type Finding,
  type RuleParts,
  alertRules,
} from './rules.ts'
import { COPY_RULE } from './copy-alert.ts'
import { receiversOf } from './send.ts'
import { alertText, recoveryText } from './words.ts'

export interface WatchParts extends RuleParts {
  readonly outbox: Outbox
  readonly log: JobsLog
}

const HOUR_MS = 3_600_000

interface Found extends Finding {
  readonly name: string
  readonly rule: AlertRuleName
}

/**
 * Compares what is wrong with the open alerts, in one transaction for each difference: the row of the alert and
 * the messages about it. A rule that cannot be evaluated leaves its alerts as they are.
 */
export function alertWatch(parts: WatchParts): () => Promise<JobFigures> {
  const { store, clock, options, log } = parts
  const firstSeen = new Map<string, number>()

  async function findingsOf(rule: AlertRuleName): Promise<readonly Found[] | undefined> {
    try {
      const found = await alertRules[rule].find(parts)
      return found.slice(0, FINDINGS_MAX).map((each) => ({ ...each, rule, name: `${rule}:${each.subject}` }))
    } catch (error) {
      log.error({ error, rule }, 'could not evaluate an alert rule')
      return undefined
    }
  }

  /** Whether it has lasted long enough. */
  function isLasting({ name, rule }: Found, nowMs: number): boolean {
    const sinceMs = firstSeen.get(name) ?? nowMs
    firstSeen.set(name, sinceMs)
    const { forMs }: AlertRule = alertRules[rule]
    return nowMs - sinceMs >= forMs
  }

  return async () => {
    if (!options.get('AlertsEnabled')) return { open: 0 }
    const nowMs = clock.nowMs()
    const rows = await listOpenAlerts(store)
    const known = new Set(rows.map(({ name }) => name))
    const seen = new Set<string>()
    const unknown = new Set<string>()
    let open = 0
    for (const rule of Object.keys(alertRules).filter(isRule)) {
      // What the original watches is not for its copy to tell.
      const findings = parts.isCopy() && rule !== COPY_RULE ? undefined : await findingsOf(rule)
      if (findings === undefined) unknown.add(rule)
      for (const each of findings ?? []) {
        seen.add(each.name)
        if (known.has(each.name)) open++
        else if (isLasting(each, nowMs)) {
          await begin(parts, each, nowMs)
          open++
        }
      }
    }
    for (const name of firstSeen.keys()) if (!seen.has(name)) firstSeen.delete(name)
    for (const row of rows) if (!seen.has(row.name) && !unknown.has(row.rule)) await end(parts, row)
    return { open }
  }
}

function isRule(name: string): name is AlertRuleName {
  return Object.hasOwn(alertRules, name)
}

async function begin(
  parts: WatchParts,
  { name, rule, subject, values }: Found,
  nowMs: number,
): Promise<void> {
  const { store, options, log, outbox } = parts
  const receivers = receiversOf(parts)
  const most = options.get('AlertsPerHour') * receivers.length
  const isSent = receivers.length > 0 && (await countSentAlerts(store, nowMs - HOUR_MS)) < most
  if (receivers.length > 0 && !isSent)
    log.error({ rule, subject }, 'an alert was not sent: the hourly limit is reached')
  const words = { en: alertText(rule, values, 'en'), zh: alertText(rule, values, 'zh') }
  const row = { name, rule, subject, words: JSON.stringify(words), since_ms: nowMs, is_sent: isSent ? 1 : 0 }
  await store.transaction().execute(async (transaction) => {
    if (!(await insertOpenAlert(transaction, row)) || !isSent) return
    const text = words[options.get('AlertLanguage')]
    await queue(parts, transaction, { rule, subject, state: 'open', text, sinceMs: nowMs })
  })
  outbox.wake()
}

async function end(
  parts: WatchParts,
  row: Awaited<ReturnType<typeof listOpenAlerts>>[number],
): Promise<void> {
  const { store, options, outbox } = parts
  const { rule, subject, is_sent: isSent } = row
  const language = options.get('AlertLanguage')
  const text = recoveryText(JSON.parse(row.words)[language], language)
  await store.transaction().execute(async (transaction) => {
    if (!(await removeOpenAlert(transaction, row.name)) || isSent === 0 || isSentOnce(rule)) return
    await queue(parts, transaction, { rule, subject, state: 'over', text, sinceMs: row.since_ms })
  })
  outbox.wake()
}

function isSentOnce(name: string): boolean {
  const rule: AlertRule | undefined = isRule(name) ? alertRules[name] : undefined
  return rule?.isSentOnce === true
}

interface Queued extends Pick<AlertMessage, 'rule' | 'subject' | 'state' | 'text'> {
  readonly sinceMs: number
}

/** One piece of work for each receiver, so that one that is down does not make the others get it twice. */
async function queue(parts: WatchParts, transaction: Db, { sinceMs, ...rest }: Queued): Promise<void> {
  const { options, outbox, clock } = parts
  for (const { id: receiver } of receiversOf(parts)) {
    const id = `alert:${rest.rule}:${rest.subject}:${sinceMs}:${rest.state}:${receiver}`
    const timestamp = Math.floor(clock.nowMs() / 1000)
    const message: AlertMessage = { id, site: options.get('SystemName'), timestamp, ...rest }
    await outbox.add({ cause: id, kind: 'alert', payload: { receiver, message } }, transaction)
  }
}

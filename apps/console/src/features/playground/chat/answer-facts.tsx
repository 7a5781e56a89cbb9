import { Link } from '@tanstack/react-router'
import { dollarAmount, groupedInteger } from '../../../shared/format/money.ts'
import { duration } from '../../../shared/format/time.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { paths } from '../../../shared/routing/paths.ts'
import type { AnswerMessage } from '../conversation/conversation.ts'
import { playgroundMessages } from '../i18n.ts'
import styles from './message.module.css'

/** Usage, speed and cost of an answer; the cost links to the call's receipt. */
export function AnswerFacts({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  const { usage } = answer
  return (
    <span className={`${styles.facts} number`}>
      {usage && (
        <span
          title={
            usage.cachedTokens > 0
              ? t('facts.cached', { tokens: groupedInteger(usage.cachedTokens) })
              : undefined
          }
        >
          {t('facts.tokens', {
            input: groupedInteger(usage.inputTokens),
            output: groupedInteger(usage.outputTokens),
          })}
        </span>
      )}
      <Times answer={answer} />
      <Cost answer={answer} />
    </span>
  )
}

function Times({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  const { firstTextMs, endedMs, startedMs } = answer
  if (endedMs === undefined) return null
  const whole = duration(endedMs - startedMs)
  if (firstTextMs === undefined) return <span>{whole}</span>
  return <span>{t('facts.times', { whole, first: duration(firstTextMs - startedMs) })}</span>
}

function Cost({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  const money = useMoney()
  const { requestId, chargedUnits, usage } = answer
  if (requestId === undefined) return null
  const reported = usage?.cost === undefined ? undefined : dollarAmount(usage.cost)
  const words = chargedUnits === undefined ? reported : money.exact(chargedUnits)
  return (
    <Link to={paths.usageLog} search={{ request_id: requestId }} title={t('facts.receipt')}>
      {words ?? t('facts.toLog')}
    </Link>
  )
}

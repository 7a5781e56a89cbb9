import { lazy, memo, Suspense } from 'react'
import { copyText } from '../../../shared/copy/copy.ts'
import { Icon } from '../../../shared/icon/icon.tsx'
import { type AnswerMessage, isUnderWay } from '../conversation/conversation.ts'
import { playgroundMessages } from '../i18n.ts'
import { AnswerFacts } from './answer-facts.tsx'
import { MessageAction } from './message-action.tsx'
import styles from './message.module.css'

const AnswerText = lazy(async () => ({ default: (await import('./answer-text.tsx')).AnswerText }))

interface AnswerProps {
  readonly answer: AnswerMessage
  readonly onRetry: (id: string) => Promise<void>
}

/** One answer in whatever state it is: what has arrived, how it ended, what it used. */
export const Answer = memo(function Answer({ answer, onRetry }: AnswerProps) {
  const t = playgroundMessages.use()
  return (
    <article className={styles.answer} aria-label={t('answer')} aria-busy={isUnderWay(answer)}>
      <p className={styles.model}>{answer.model}</p>
      <Reasoning answer={answer} />
      {answer.text !== '' && (
        <Suspense fallback={<div className={styles.plain}>{answer.text}</div>}>
          <AnswerText text={answer.text} />
        </Suspense>
      )}
      <ToolCalls answer={answer} />
      <Ending answer={answer} />
      {!isUnderWay(answer) && (
        <div className={styles.foot}>
          <MessageAction label={t('retry')} onSelect={() => void onRetry(answer.id)} />
          {answer.text !== '' && (
            <MessageAction label={t('copy')} onSelect={() => void copyText(answer.text)} />
          )}
          <AnswerFacts answer={answer} />
        </div>
      )}
    </article>
  )
})

/** Open while the model still thinks, folded once it answers. */
function Reasoning({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  if (answer.reasoning === '') return null
  const isThinking = isUnderWay(answer) && answer.text === ''
  return (
    <details key={String(isThinking)} open={isThinking} className={styles.reasoning}>
      <summary>{isThinking ? t('reasoning.now') : t('reasoning')}</summary>
      <div className={styles.thoughts}>{answer.reasoning}</div>
    </details>
  )
}

/** What the model would have run; the playground runs nothing. */
function ToolCalls({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  return answer.toolCalls?.map(({ name, input }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the calls of an answer only grow at the end
    <details key={index} className={styles.reasoning}>
      <summary>{t('toolCall', { name })}</summary>
      <pre className={styles.toolInput}>{input}</pre>
    </details>
  ))
}

/** Says what the text alone does not: still coming, stopped, cut at its length, failed. */
function Ending({ answer }: { readonly answer: AnswerMessage }) {
  const t = playgroundMessages.use()
  if (answer.state === 'loading') {
    return (
      <output className={styles.waiting}>
        <span className={styles.dots} aria-hidden="true" />
        {t('waiting')}
      </output>
    )
  }
  if (answer.state === 'error') {
    return (
      <p className={styles.failure} role="alert">
        <Icon name="warning" /> <span>{answer.error}</span>
      </p>
    )
  }
  if (answer.state === 'stopped') return <p className={styles.note}>{t('stopped')}</p>
  if (answer.state === 'complete' && answer.finish === 'length')
    return <p className={styles.note}>{t('cutAtLength')}</p>
  if (answer.state === 'complete' && answer.finish === 'content_filter')
    return <p className={styles.note}>{t('filtered')}</p>
  if (answer.state === 'complete' && answer.text === '' && !answer.toolCalls)
    return <p className={styles.note}>{t('saidNothing')}</p>
  return null
}

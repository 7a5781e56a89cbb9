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

/** Renders one answer in any state: its text so far, how it ended, its usage. */
export const Answer = memo(function Answer({ answer, onRetry }: AnswerProps) {
  const t = playgroundMessages.use()
  return (
    <article className="stack-8" aria-label={t('answer')} aria-busy={isUnderWay(answer)}>
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

/** Unfolded while the model is still reasoning, folded when the answer begins. */
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

/** Shows the tool calls that the model requested; the playground does not execute them. */
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

/**
 * Shows the state that the text alone does not reveal: still streaming, stopped, cut at its length limit,
 * failed.
 */
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

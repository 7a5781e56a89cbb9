import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { ButtonLink } from '../../../shared/page/plain-button.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { useIsAdmin } from '../../../shared/session/session.ts'
import { type Conversation, isUnderWay } from '../conversation/conversation.ts'
import { playgroundMessages } from '../i18n.ts'
import type { Playground } from '../playground.ts'
import { Answer } from './answer.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import { Greeting } from './greeting.tsx'
import { Question } from './question.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'

interface ChatProps {
  readonly playground: Playground
  readonly conversation: Conversation
  readonly hasModels: boolean
}

/** The conversation, and the input field below it. */
export function Chat({ playground, conversation, hasModels }: ChatProps) {
  const t = playgroundMessages.use()
  const { frame, onScroll, stick } = useStickToEnd(conversation)
  const isAnswering = conversation.some(isUnderWay)
  const ask = (text: string, images?: readonly string[]) => {
    stick()
    void playground.ask(text, images)
  }
  return (
    <section className={styles.chat} aria-label={t('title')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div ref={frame} className={styles.messages} onScroll={onScroll} tabIndex={0} role="log">
        {!hasModels && <NoModels />}
        {hasModels && conversation.length === 0 && <Greeting onAsk={ask} />}
        {conversation.map((message) =>
          message.role === 'user' ? (
            <Question key={message.id} question={message} onEdit={playground.edit} />
          ) : (
            <Answer key={message.id} answer={message} onRetry={playground.retry} />
          ),
        )}
      </div>
      <Composer isAnswering={isAnswering} isDisabled={!hasModels} onAsk={ask} onStop={playground.stop} />
    </section>
  )
}

function NoModels() {
  const t = playgroundMessages.use()
  const isAdmin = useIsAdmin()
  return (
    <EmptyState
      title={t('noModels')}
      text={isAdmin ? t('noModels.admin') : t('noModels.user')}
      action={isAdmin && <ButtonLink to={paths.channels}>{t('noModels.toChannels')}</ButtonLink>}
    />
  )
}

import { Link } from '@tanstack/react-router'
import type { Dialect } from '@tollgate/contract/client-setup/setup'
import type { Token } from '@tollgate/contract/token'
import { duration } from '../../../shared/format/time.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { Section } from '../../../shared/page/section.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { Status } from '../../../shared/status/status.tsx'
import { connectMessages } from '../i18n.ts'
import styles from '../page.module.css'
import { adviceFor } from './advice.ts'
import type { TestAnswer, TestRefusal } from './send.ts'
import { useTestCall } from './use-test-call.ts'

interface TestPanelProps {
  readonly client: string
  /** The address in the settings; the call itself goes to the address of the console. */
  readonly address: string
  readonly token: Token | undefined
  readonly dialect: Dialect
  readonly model: string | undefined
}

/** Sends one real call with the chosen token and shows what came back and what it cost. */
export function TestPanel({ client, address, token, dialect, model }: TestPanelProps) {
  const t = connectMessages.use()
  const { state, chargedUnits, start, stop } = useTestCall()
  const isReady = token !== undefined && model !== undefined
  const isRunning = state.type === 'running'
  return (
    <Section
      title={t('test')}
      purpose={t('test.purpose', { client })}
      actions={
        <>
          {isRunning && <PlainButton onClick={stop}>{t('test.stop')}</PlainButton>}
          <PlainButton
            isPrimary
            isDisabled={!isReady}
            isBusy={isRunning}
            onClick={() => isReady && start(token, { dialect, model })}
          >
            {t('test.start')}
          </PlainButton>
        </>
      }
    >
      {address !== globalThis.location.origin && (
        <p className="fine-print">{t('test.otherAddress', { address })}</p>
      )}
      <div aria-live="polite" className={styles.live}>
        {state.type === 'answered' && <Answered outcome={state} chargedUnits={chargedUnits} />}
        {state.type === 'refused' && <Refused outcome={state} />}
      </div>
    </Section>
  )
}

interface AnsweredProps {
  readonly outcome: TestAnswer
  readonly chargedUnits: number | undefined
}

function Answered({ outcome, chargedUnits }: AnsweredProps) {
  const t = connectMessages.use()
  const money = useMoney()
  const { text, tookMs, requestId } = outcome
  return (
    <div className={styles.result}>
      <Status tone="ok" label={t('test.works')} />
      <p className={styles.answer}>{text === '' ? t('test.noText') : text}</p>
      <p className={styles.facts}>
        <span>{duration(tookMs)}</span>
        {requestId !== undefined && (
          <>
            <span>{chargedUnits === undefined ? t('test.costComes') : money.exact(chargedUnits)}</span>
            <LogLink requestId={requestId} />
          </>
        )}
      </p>
    </div>
  )
}

function Refused({ outcome }: { readonly outcome: TestRefusal }) {
  const t = connectMessages.use()
  const { status, text, requestId } = outcome
  const { key, to } = adviceFor(status)
  return (
    <div className={styles.result}>
      <Status tone="act" label={status === 0 ? t('test.unreachable') : t('test.refused', { status })} />
      {text !== '' && <p className={styles.answer}>{text}</p>}
      <p>
        {t(key)} {to !== undefined && <Link to={to}>{t(`advice.to.${to}`)}</Link>}
      </p>
      {requestId !== undefined && (
        <p className={styles.facts}>
          <LogLink requestId={requestId} />
        </p>
      )}
    </div>
  )
}

function LogLink({ requestId }: { readonly requestId: string }) {
  const t = connectMessages.use()
  return (
    <Link to={paths.usageLog} search={{ request_id: requestId }}>
      {t('test.log')}
    </Link>
  )
}

import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { setupMessages } from './i18n.ts'
import styles from './next-steps.module.css'

const steps = ['channel', 'token', 'call'] as const

/**
 * Lists the operator's next steps after the setup. If the automatic sign-in failed, the channel page asks the
 * operator to sign in.
 */
export function NextSteps() {
  const t = setupMessages.use()
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>
            <strong>{t(`done.${step}`)}</strong>
            <span className="muted">{t(`done.${step}Text`)}</span>
          </li>
        ))}
      </ol>
      <ButtonLink to={paths.channels} isPrimary>
        {t('done.next')}
      </ButtonLink>
    </>
  )
}

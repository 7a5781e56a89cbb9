import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { setupMessages } from './i18n.ts'
import styles from './next-steps.module.css'

const steps = ['channel', 'token', 'call'] as const

/** What a first operator does next. Who could not be signed in is asked to by the channel page itself. */
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

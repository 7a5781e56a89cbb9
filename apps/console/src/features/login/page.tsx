import { Link } from '@tanstack/react-router'
import { ProviderButtons } from '../../shared/sign-in/provider-buttons.tsx'
import { openSignInProviders } from '../../shared/sign-in/providers.ts'
import { FormPage } from '../../shared/page/form-page.tsx'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { GoTo } from '../../shared/routing/go-to.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { safeReturn } from '../../shared/routing/return-to.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { isSigningInAgain } from '../../shared/session/sign-in-again.ts'
import { canRegister, useStatus } from '../../shared/session/status.ts'
import { loginMessages } from './i18n.ts'
import { LoginForm } from './login-form.tsx'
import styles from './page.module.css'
import { loginSearch } from './search.ts'

/** Offers every sign-in provider that the operator enabled. Once signed in, the page redirects by itself. */
export default function LoginPage() {
  const t = loginMessages.use()
  const status = useStatus()
  const user = useSessionUser()
  const [{ expired, deleted, returnTo: asked }] = useSearchState(loginSearch)
  const returnTo = isSigningInAgain() ? paths.signedInAgain : safeReturn(asked, paths.tokens)
  const hasForm = status.password_login_enabled
  if (user !== undefined) return <GoTo href={returnTo} />
  return (
    <FormPage title={t('title', { site: status.system_name })} purpose={t('purpose')}>
      {expired === 'true' && <PlainAlert tone="look" title={t('expired')} />}
      {deleted === 'true' && <PlainAlert tone="ok" title={t('deleted')} />}
      {hasForm && <LoginForm />}
      {!hasForm && openSignInProviders(status).length === 0 && <PlainAlert tone="info" title={t('closed')} />}
      <ProviderButtons returnTo={returnTo} isBelowForm={hasForm} />
      {canRegister(status) && (
        <p className={styles.below}>
          {t('noAccount')} <Link to={paths.register}>{t('word.register')}</Link>
        </p>
      )}
    </FormPage>
  )
}

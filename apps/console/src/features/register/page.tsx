import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { rememberAff, rememberedAff } from '../../shared/sign-in/aff.ts'
import { ProviderButtons } from '../../shared/sign-in/provider-buttons.tsx'
import { FormPage } from '../../shared/page/form-page.tsx'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { GoTo } from '../../shared/routing/go-to.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { canRegister, useStatus } from '../../shared/session/status.ts'
import { registerMessages } from './i18n.ts'
import styles from './page.module.css'
import { RegisterForm } from './register-form.tsx'
import { registerSearch } from './search.ts'

/**
 * Registers a new account, with a password or through a sign-in provider. An invitation code is kept until
 * either is used.
 */
export default function RegisterPage() {
  const t = registerMessages.use()
  const status = useStatus()
  const [{ aff }] = useSearchState(registerSearch)
  const [code] = useState(() => aff || rememberedAff())
  const [isDone, setIsDone] = useState(false)
  useEffect(() => rememberAff(aff), [aff])
  if (useSessionUser() !== undefined) return <GoTo href={paths.tokens} />
  if (isDone) return <GoTo href={paths.login} />
  return (
    <FormPage title={t('title', { site: status.system_name })} purpose={t('purpose')}>
      {canRegister(status) ? (
        <Ways code={code} onDone={() => setIsDone(true)} />
      ) : (
        <PlainAlert tone="info" title={t('closed')} />
      )}
      <p className={styles.below}>
        {t('hasAccount')} <Link to={paths.login}>{t('login')}</Link>
      </p>
    </FormPage>
  )
}

function Ways({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  const t = registerMessages.use()
  const { password_register_enabled: hasForm } = useStatus()
  return (
    <>
      {code !== '' && <PlainAlert tone="info" title={t('invited', { code })} />}
      {hasForm ? (
        <RegisterForm affCode={code} onDone={onDone} />
      ) : (
        <p className="muted">{t('providersOnly')}</p>
      )}
      <ProviderButtons returnTo={paths.tokens} isBelowForm={hasForm} isRegistering />
    </>
  )
}

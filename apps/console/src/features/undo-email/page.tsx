import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { ApiError } from '@tollgate/contract/client'
import { plainApi } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { FormPage } from '../../shared/page/form-page.tsx'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { ButtonLink, PlainButton } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { signOut } from '../../shared/session/session.ts'
import { undoEmailMessages } from './i18n.ts'
import styles from './page.module.css'
import { undoEmailSearch } from './search.ts'

/**
 * Restores the previous email address with the emailed link. It needs a click on a button, because mail
 * programs open links automatically.
 */
export default function UndoEmailPage() {
  const t = undoEmailMessages.use()
  const [{ token }] = useSearchState(undoEmailSearch)
  const undo = useMutation({
    mutationFn: () => plainApi.call(accountSafetyRoutes.undoEmail, { body: { token } }),
    meta: { isFailureShown: true },
    // Every session of the account has ended, possibly including the one in this browser.
    onSuccess: signOut,
  })
  if (undo.isSuccess) return <Restored email={undo.data.email} />
  return (
    <FormPage title={t('title')} purpose={t('purpose')}>
      {token === '' ? (
        <PlainAlert tone="look" title={t('noLink')} />
      ) : (
        <>
          <p>{t('consequence')}</p>
          {undo.error !== null && <Refused error={undo.error} />}
          <PlainButton isPrimary isLarge isBusy={undo.isPending} onClick={() => undo.mutate()}>
            {t('submit')}
          </PlainButton>
        </>
      )}
      <p className={styles.below}>
        <Link to={paths.login}>{t('word.backToLogin')}</Link>
      </p>
    </FormPage>
  )
}

function Restored({ email }: { readonly email: string }) {
  const t = undoEmailMessages.use()
  return (
    <FormPage title={t('done.title')} purpose={t('done.purpose', { email })}>
      <p>{t('done.next')}</p>
      <ButtonLink to={paths.reset} isPrimary>
        {t('word.choosePassword')}
      </ButtonLink>
    </FormPage>
  )
}

function Refused({ error }: { readonly error: Error }) {
  const t = undoEmailMessages.use()
  const code = error instanceof ApiError ? error.code : ''
  const next = code === 'undo_link_refused' ? t('refused') : code === 'email_taken' ? t('taken') : undefined
  return <PlainAlert tone="act" title={failureText(error)} description={next} />
}

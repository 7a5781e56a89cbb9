import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { mailRoutes } from '@tollgate/contract/mail'
import { ApiError } from '@tollgate/contract/client'
import { passwordLimits, useAccountChecks } from '../../shared/account/account-checks.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { ButtonLink, PlainButton } from '../../shared/page/plain-button.tsx'
import { PlainField } from '../../shared/plain-form/plain-field.tsx'
import { PlainForm } from '../../shared/plain-form/plain-form.tsx'
import { usePlainForm } from '../../shared/plain-form/use-plain-form.ts'
import { paths } from '../../shared/routing/paths.ts'
import { signOut } from '../../shared/session/session.ts'
import { resetMessages } from './i18n.ts'

/**
 * The owner chooses a new password. If the link was used or has expired, the page offers to request another.
 */
export function ConfirmForm({ email, token }: { readonly email: string; readonly token: string }) {
  const t = resetMessages.use()
  const { password: checkPassword, again } = useAccountChecks()
  const navigate = useNavigate()
  const reset = useMutation({
    mutationFn: (password: string) =>
      api.call(mailRoutes.resetPassword, { body: { email, token, password } }),
    meta: { isFailureShown: true },
    onSuccess: () => {
      // The server has ended all sessions of this account, including one in this browser.
      signOut()
      notifyDone(t('confirm.done'))
      void navigate({ to: paths.login, replace: true })
    },
  })
  const form = usePlainForm<'password' | 'again'>({
    checks: { password: checkPassword, again },
    onSubmit: ({ password }) => reset.mutate(password),
  })
  const isLinkUsed = reset.error instanceof ApiError && reset.error.code === 'reset_link_refused'
  return (
    <PlainForm form={form}>
      <PlainField
        form={form}
        name="password"
        label={t('word.newPassword')}
        help={t('word.characters', passwordLimits)}
        type="password"
        autoComplete="new-password"
        isLarge
      />
      <PlainField
        form={form}
        name="again"
        label={t('word.newPasswordAgain')}
        type="password"
        autoComplete="new-password"
        isLarge
      />
      {reset.error !== null && (
        <PlainAlert
          tone="act"
          title={failureText(reset.error)}
          action={isLinkUsed && <ButtonLink to={paths.reset}>{t('confirm.other')}</ButtonLink>}
        />
      )}
      <PlainButton isPrimary isLarge isSubmit isBusy={reset.isPending}>
        {t('confirm.submit')}
      </PlainButton>
    </PlainForm>
  )
}

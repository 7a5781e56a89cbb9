import { mailRoutes } from '@tollgate/contract/mail'
import { useAccountChecks } from '../../../shared/account/account-checks.ts'
import { CodeFields } from '../../../shared/account/code-field.tsx'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { type ProblemFields, fieldOf } from '../../../shared/form/show-at-field.ts'
import { PlainAlert } from '../../../shared/page/plain-alert.tsx'
import { PlainForm } from '../../../shared/plain-form/plain-form.tsx'
import { type PlainValues, usePlainForm } from '../../../shared/plain-form/use-plain-form.ts'
import { DialogFrame } from '../form-dialog.tsx'
import { personalMessages } from '../i18n/index.ts'
import { useDialogMutation } from '../use-dialog-mutation.ts'

type EmailFormValue = PlainValues<'email' | 'code'>

const FORM_ID = 'bind-email'

const problemFields: ProblemFields<EmailFormValue> = {
  email: ['email_invalid', 'email_taken', 'email_domain_refused', 'email_alias_refused'],
  code: ['verification_code_wrong'],
}

export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const t = personalMessages.use()
  const { email: checkEmail, code: checkCode } = useAccountChecks()
  const bind = useDialogMutation({
    mutationFn: ({ email, code }: EmailFormValue) =>
      api.call(mailRoutes.bindEmail, { query: { email, code } }),
    onError: (error) => {
      const field = fieldOf(error, problemFields)
      if (field !== undefined) form.tell(field, failureText(error))
    },
    done: t('ways.emailBound'),
    onClose,
  })
  const form = usePlainForm<keyof EmailFormValue>({
    id: FORM_ID,
    checks: { email: checkEmail, code: checkCode },
    onSubmit: (entered) => bind.mutate(entered),
  })
  const isElsewhere = bind.error !== null && fieldOf(bind.error, problemFields) === undefined
  return (
    <DialogFrame
      name={FORM_ID}
      firstField="email"
      title={t('ways.emailTitle')}
      purpose={t('ways.emailText')}
      submitLabel={t('ways.bind')}
      isBusy={bind.isPending}
      onClose={onClose}
    >
      <PlainForm form={form}>
        <CodeFields form={form} emailField="email" codeField="code" />
        {isElsewhere && <PlainAlert tone="act" title={failureText(bind.error)} />}
      </PlainForm>
    </DialogFrame>
  )
}

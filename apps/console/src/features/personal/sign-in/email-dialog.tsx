import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { Form } from 'antd'
import { CodeFields } from '../../../shared/account/code-field.tsx'
import { api } from '../../../shared/api/client.ts'
import { type ProblemFields, fieldOf, showAtField } from '../../../shared/form/show-at-field.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useRefreshSelf } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { personalMessages } from '../i18n.ts'

interface Entered {
  readonly email: string
  readonly code: string
}

const problemFields: ProblemFields<Entered> = {
  email: ['email_invalid', 'email_taken', 'email_domain_refused', 'email_alias_refused'],
  code: ['verification_code_wrong'],
}

export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const t = personalMessages.use()
  const [form] = Form.useForm<Entered>()
  const refresh = useRefreshSelf()
  const bind = useMutation({
    mutationFn: ({ email, code }: Entered) => api.call(mailRoutes.bindEmail, { query: { email, code } }),
    meta: { isFailureShown: true },
    onError: (error) => showAtField(form, error, problemFields),
    onSuccess: async () => {
      await refresh()
      notifyDone(t('ways.emailBound'))
      onClose()
    },
  })
  return (
    <FormDialog
      name="bind-email"
      firstField="email"
      title={t('ways.emailTitle')}
      purpose={t('ways.emailText')}
      submitLabel={t('ways.bind')}
      form={form}
      mutation={bind}
      isFailureAtField={fieldOf(bind.error, problemFields) !== undefined}
      onClose={onClose}
    >
      <CodeFields emailField="email" codeField="code" />
    </FormDialog>
  )
}

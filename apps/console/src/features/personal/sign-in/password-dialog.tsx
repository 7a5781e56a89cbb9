import { userRoutes } from '@tollgate/contract/user'
import { Form, Input } from 'antd'
import { passwordLimits } from '../../../shared/account/account-checks.ts'
import { useAccountRules } from '../../../shared/account/account-rules.ts'
import { api } from '../../../shared/api/client.ts'
import { type ProblemFields, fieldOf, showAtField } from '../../../shared/form/show-at-field.ts'
import { FormDialog } from '../form-dialog.tsx'
import { personalMessages } from '../i18n/index.ts'
import { useDialogMutation } from '../use-dialog-mutation.ts'

interface PasswordFormValue {
  readonly original?: string
  readonly password: string
  readonly again: string
}

const problemFields: ProblemFields<PasswordFormValue> = {
  original: ['original_password_wrong'],
  password: ['password_invalid'],
}

interface PasswordDialogProps {
  /** A user who registered through a sign-in provider has no current password to enter. */
  readonly hasPassword: boolean
  readonly onClose: () => void
}

/** Changes the password, which ends every other session and revokes the access token. */
export function PasswordDialog({ hasPassword, onClose }: PasswordDialogProps) {
  const t = personalMessages.use()
  const rules = useAccountRules()
  const [form] = Form.useForm<PasswordFormValue>()
  const change = useDialogMutation({
    mutationFn: ({ original = '', password }: PasswordFormValue) =>
      api.call(userRoutes.updateSelf, { body: { password, original_password: original } }),
    onError: (error) => showAtField(form, error, problemFields),
    done: t('password.done'),
    onClose,
  })
  return (
    <FormDialog
      name="change-password"
      firstField={hasPassword ? 'original' : 'password'}
      title={hasPassword ? t('ways.passwordChange') : t('ways.passwordChoose')}
      purpose={t('password.text')}
      submitLabel={t('save')}
      form={form}
      mutation={change}
      isFailureAtField={fieldOf(change.error, problemFields) !== undefined}
      onClose={onClose}
    >
      {hasPassword && (
        <Form.Item
          name="original"
          label={t('password.original')}
          rules={[{ required: true, message: t('password.originalMissing') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      )}
      <Form.Item
        name="password"
        label={t('word.newPassword')}
        extra={t('word.characters', passwordLimits)}
        rules={rules.password}
        validateFirst
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={t('word.newPasswordAgain')}
        dependencies={['password']}
        rules={rules.again}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </FormDialog>
  )
}

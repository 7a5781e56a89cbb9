import {
  DISPLAY_NAME_CHARACTERS_MAX,
  displayNameSchema,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  passwordSchema,
  USERNAME_CHARACTERS_MAX,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import { Input } from 'antd'
import { Field } from '../../shared/form/field.tsx'
import { schemaRule } from '../../shared/form/schema-rule.ts'
import { userMessages } from './i18n.ts'

interface AccountFieldsProps {
  /** When editing, an empty password keeps the stored one. */
  readonly isNew: boolean
  /** Users change their own password on the personal page, which requires the current one. */
  readonly isOwn?: boolean
}

/** Fields for name, display name and password, checked by the same rules as on the server. */
export function AccountFields({ isNew, isOwn = false }: AccountFieldsProps) {
  const t = userMessages.use()
  const lengths = { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX }
  return (
    <>
      <Field
        name="username"
        label={t('form.username')}
        isRequired
        help={t('form.usernameHelp', { max: USERNAME_CHARACTERS_MAX })}
        rules={[schemaRule(usernameSchema, t('form.usernameWrong', { max: USERNAME_CHARACTERS_MAX }))]}
      >
        <Input autoComplete="off" />
      </Field>
      <Field
        name="displayName"
        label={t('word.displayName')}
        rules={[
          schemaRule(displayNameSchema, t('form.displayNameWrong', { max: DISPLAY_NAME_CHARACTERS_MAX })),
        ]}
      >
        <Input autoComplete="off" />
      </Field>
      {!isOwn && (
        <Field
          name="password"
          label={isNew ? t('form.password') : t('form.newPassword')}
          isRequired={isNew}
          help={isNew ? t('form.passwordHelp', lengths) : t('form.newPasswordHelp')}
          rules={[schemaRule(passwordSchema, t('form.passwordWrong', lengths))]}
        >
          <Input.Password autoComplete="new-password" />
        </Field>
      )}
    </>
  )
}

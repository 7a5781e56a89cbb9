import {
  characters,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  USERNAME_CHARACTERS_MAX,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import { Form, Input } from 'antd'
import { checkRule } from '../../shared/form/check-rule.ts'
import { setupMessages } from './i18n.ts'
import styles from './setup-form.module.css'

const usernameLimit = { max: USERNAME_CHARACTERS_MAX }
const passwordLimits = { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX }

/** The account of the super admin, checked by the same rules as on the server. */
export function AccountFields() {
  const t = setupMessages.use()
  return (
    <div className={styles.fields}>
      <Form.Item
        name="username"
        label={t('word.username')}
        extra={t('word.usernameHelp', usernameLimit)}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('error.username') },
          rule((name) => usernameSchema.safeParse(name).success, t('error.usernameForm', usernameLimit)),
        ]}
      >
        <Input autoComplete="username" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('word.password')}
        extra={t('word.characters', passwordLimits)}
        validateFirst
        rules={[
          rule((text) => characters(text) >= passwordLimits.min, t('error.passwordShort', passwordLimits)),
          rule((text) => characters(text) <= passwordLimits.max, t('error.passwordLong', passwordLimits)),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="confirmPassword"
        label={t('word.passwordAgain')}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) => rule((text) => text === getFieldValue('password'), t('error.confirm')),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </div>
  )
}

function rule(isGood: (text: string) => boolean, message: string) {
  return checkRule((value) => isGood(typeof value === 'string' ? value : ''), message)
}

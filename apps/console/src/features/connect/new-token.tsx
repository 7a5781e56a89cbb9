import { TOKEN_NAME_CHARACTERS_MAX } from '@tollgate/contract/token'
import { Form, Input, Switch } from 'antd'
import { Field } from '../../shared/form/field.tsx'
import { useNumberRules } from '../../shared/form/number-rules.ts'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { useCreateToken } from './api.ts'
import { connectMessages } from './i18n.ts'
import { type NewTokenValue, newTokenValue } from './new-token-value.ts'

interface NewTokenProps {
  /** Suggested as the name of the token. */
  readonly client: string
  readonly onCreated: (id: number) => void
  readonly onClose: () => void
}

/** Creates a token for the chosen client with the few fields that most people need. */
export function NewToken({ client, onCreated, onClose }: NewTokenProps) {
  const t = connectMessages.use()
  const create = useCreateToken()
  return (
    <ResourceForm<NewTokenValue>
      title={t('token.new')}
      initialValue={newTokenValue(client)}
      submitLabel={t('word.create')}
      problemFields={{
        name: ['token_name_missing', 'token_name_too_long'],
        quotaUnits: ['token_quota_out_of_range'],
      }}
      onSubmit={async (value, { operationKey }) => onCreated(await create(value, operationKey))}
      onClose={onClose}
    >
      <Fields />
    </ResourceForm>
  )
}

function Fields() {
  const t = connectMessages.use()
  const { amount } = useNumberRules()
  const isUnlimited = Form.useWatch('isUnlimited') === true
  return (
    <>
      <Field name="name" label={t('word.name')} isRequired maxCharacters={TOKEN_NAME_CHARACTERS_MAX}>
        <Input />
      </Field>
      <Field
        name="quotaUnits"
        label={t('word.quota')}
        help={t('token.quotaHelp')}
        rules={isUnlimited ? [] : [amount]}
      >
        <QuotaInput isDisabled={isUnlimited} />
      </Field>
      <Field name="isUnlimited" label={t('token.unlimited')} valuePropName="checked">
        <Switch />
      </Field>
    </>
  )
}

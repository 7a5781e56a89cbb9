import { useQuery } from '@tanstack/react-query'
import { type Token, TOKEN_NAME_CHARACTERS_MAX, tokenRoutes } from '@tollgate/contract/token'
import { Button, Form, type FormInstance, Input, Switch } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { ownModelsQuery } from '../../shared/api/own-queries.ts'
import { Choices } from '../../shared/form/choices.tsx'
import { CountField } from '../../shared/form/count-field.tsx'
import { Field } from '../../shared/form/field.tsx'
import { useNumberRules } from '../../shared/form/number-rules.ts'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import type { ProblemFields } from '../../shared/form/show-at-field.ts'
import { TimeField } from '../../shared/form/time-field.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useRefreshTokens } from './api.ts'
import { CreatedKeys } from './created-keys.tsx'
import {
  batchNames,
  bodyOf,
  COUNT_MAX,
  COUNT_PICKS,
  formValueOf,
  newTokenValue,
  type TokenFormValue,
} from './form-value.ts'
import { GroupFields } from './group-fields.tsx'
import { tokenMessages } from './i18n.ts'
import { LimitFields } from './limit-fields.tsx'
import styles from './token-form.module.css'

interface TokenFormProps {
  /** `undefined`: a new token. */
  readonly token: Token | undefined
  readonly onClose: () => void
}

/** Creates one token or a batch, or edits one. New keys are shown once, before the form closes. */
export function TokenForm({ token, onClose }: TokenFormProps) {
  const t = tokenMessages.use()
  const refresh = useRefreshTokens()
  const [keys, setKeys] = useState<readonly string[]>()
  const namesOf = useBatchNames()

  async function save(value: TokenFormValue, { operationKey }: { readonly operationKey: string }) {
    if (token === undefined) {
      const names = namesOf(value)
      setKeys(await createTokens(value, { names, operationKey }))
    } else {
      await api.call(tokenRoutes.update, { body: changesOf(token, value) })
      notifyDone(t('saved'))
      onClose()
    }
    await refresh()
  }

  if (keys !== undefined) return <CreatedKeys keys={keys} onClose={onClose} />
  return (
    <ResourceForm<TokenFormValue>
      title={token === undefined ? t('create') : t('form.edit')}
      initialValue={token === undefined ? newTokenValue : formValueOf(token)}
      submitLabel={token === undefined ? t('word.create') : undefined}
      isEdit={token !== undefined}
      problemFields={problemFields}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => <TokenFields form={form} isNew={token === undefined} />}
    </ResourceForm>
  )
}

const problemFields: ProblemFields<TokenFormValue> = {
  name: ['token_name_missing', 'token_name_too_long'],
  remainQuota: ['token_quota_out_of_range', 'token_quota_changed'],
  expiresAt: ['token_expiry_passed', 'token_expiry_invalid'],
  group: ['token_group_not_usable'],
  groupOrder: ['token_group_order_missing', 'token_groups_too_many'],
  addresses: ['token_address_invalid', 'token_addresses_too_many'],
  budgetUnits: ['token_budget_missing'],
}

interface TokenFieldsProps {
  readonly form: FormInstance<TokenFormValue>
  readonly isNew: boolean
}

function TokenFields({ form, isNew }: TokenFieldsProps) {
  const t = tokenMessages.use()
  const { amount } = useNumberRules()
  const isUnlimited = Form.useWatch('isUnlimited', form)
  return (
    <>
      <Field name="name" label={t('word.name')} isRequired maxCharacters={TOKEN_NAME_CHARACTERS_MAX}>
        <Input placeholder={t('form.nameHint')} />
      </Field>
      <Field
        name="remainQuota"
        label={t('word.quota')}
        help={t('form.quotaHelp')}
        rules={isUnlimited ? [] : [amount]}
      >
        <QuotaInput isDisabled={isUnlimited} />
      </Field>
      <Field name="isUnlimited" label={t('form.unlimited')} valuePropName="checked">
        <Switch />
      </Field>
      <ExpiryField form={form} />
      <GroupFields form={form} />
      <ModelsField />
      <Field name="addresses" label={t('form.addresses')} help={t('form.addressesHelp')}>
        <Input.TextArea className="code" autoSize={{ minRows: 2, maxRows: 8 }} />
      </Field>
      <LimitFields form={form} />
      {isNew && (
        <CountField
          name="count"
          label={t('form.count')}
          help={t('form.countHelp')}
          max={COUNT_MAX}
          picks={COUNT_PICKS}
        />
      )}
    </>
  )
}

function ExpiryField({ form }: { readonly form: FormInstance<TokenFormValue> }) {
  const t = tokenMessages.use()
  const expireIn = (amount: number, unit: 'hour' | 'day') =>
    form.setFieldValue('expiresAt', dayjs().add(amount, unit).startOf('minute'))
  return (
    <>
      <TimeField name="expiresAt" label={t('column.expires')} placeholder={t('never')} isFuture />
      <div className={styles.picks}>
        <Button size="small" onClick={() => form.setFieldValue('expiresAt', undefined)}>
          {t('never')}
        </Button>
        <Button size="small" onClick={() => expireIn(1, 'hour')}>
          {t('form.oneHour')}
        </Button>
        <Button size="small" onClick={() => expireIn(1, 'day')}>
          {t('form.oneDay')}
        </Button>
        <Button size="small" onClick={() => expireIn(30, 'day')}>
          {t('form.oneMonth')}
        </Button>
      </div>
    </>
  )
}

function ModelsField() {
  const t = tokenMessages.use()
  const { data: models = [] } = useQuery(ownModelsQuery)
  return (
    <Field name="models" label={t('word.models')}>
      <Choices
        mode="tags"
        allowClear
        tokenSeparators={[',', '，', '\n', ' ']}
        placeholder={t('form.modelsHint')}
        options={models.map((model) => ({ value: model, label: model }))}
      />
    </Field>
  )
}

/** The random names of a batch are kept for retries, so that a retry does not create additional tokens. */
function useBatchNames(): (value: TokenFormValue) => readonly string[] {
  const [drawn] = useState(() => new Map<string, readonly string[]>())
  return ({ name, count }) => {
    const batch = `${count} ${name.trim()}`
    const names = drawn.get(batch) ?? batchNames(name.trim(), count)
    drawn.set(batch, names)
    return names
  }
}

/** Sends one call per token. If one fails, the tokens already created are kept and the error is shown. */
async function createTokens(
  value: TokenFormValue,
  { names, operationKey }: { readonly names: readonly string[]; readonly operationKey: string },
): Promise<readonly string[]> {
  const keys: string[] = []
  for (const [index, name] of names.entries()) {
    try {
      const { key } = await api.call(tokenRoutes.create, {
        body: { ...bodyOf(value), name },
        operationKey: `${operationKey}-${index}`,
      })
      keys.push(key)
    } catch (error) {
      if (keys.length === 0) throw error
      const { t } = tokenMessages
      notifyDone(t('partly', { made: keys.length, count: names.length, reason: failureText(error) }))
      return keys
    }
  }
  return keys
}

/** The quota is sent only if it was changed, together with its previous value. */
function changesOf(token: Token, value: TokenFormValue) {
  const { remain_quota: quota, ...body } = bodyOf(value)
  if (quota === token.remain_quota) return { id: token.id, ...body }
  return { id: token.id, ...body, remain_quota: quota, expected_remain_quota: token.remain_quota }
}

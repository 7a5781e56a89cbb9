import { type Token, TOKEN_NAME_CHARACTERS_MAX, tokenRoutes } from '@tollgate/contract/token'
import { Button, Form, type FormInstance, Input, InputNumber, Switch } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { Choices } from '../../shared/form/choices.tsx'
import { Field } from '../../shared/form/field.tsx'
import { QuotaInput } from '../../shared/form/quota-input.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { TimePicker } from '../../shared/form/time-picker.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useRefreshTokens, useUsableModels } from './api.ts'
import { CreatedKeys } from './created-keys.tsx'
import {
  batchNames,
  bodyOf,
  COUNT_MAX,
  formValueOf,
  newTokenValue,
  type TokenFormValue,
} from './form-value.ts'
import { GroupFields } from './group-fields.tsx'
import { tokenMessages } from './i18n.ts'
import { LimitFields } from './limit-fields.tsx'
import styles from './token-form.module.css'

interface TokenFormProps {
  /** Undefined: a new one. */
  readonly token: Token | undefined
  readonly onClose: () => void
}

/** Creates tokens, one or a batch, or edits one. New keys are shown once, before the form is gone. */
export function TokenForm({ token, onClose }: TokenFormProps) {
  const t = tokenMessages.use()
  const refresh = useRefreshTokens()
  const [keys, setKeys] = useState<readonly string[]>()

  async function save(value: TokenFormValue) {
    if (token === undefined) {
      setKeys(await createTokens(value))
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
      title={token === undefined ? t('form.new') : t('form.edit')}
      initialValue={token === undefined ? newTokenValue : formValueOf(token)}
      {...(token === undefined && { submitLabel: t('form.create') })}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => <TokenFields form={form} isNew={token === undefined} />}
    </ResourceForm>
  )
}

interface TokenFieldsProps {
  readonly form: FormInstance<TokenFormValue>
  readonly isNew: boolean
}

function TokenFields({ form, isNew }: TokenFieldsProps) {
  const t = tokenMessages.use()
  const isUnlimited = Form.useWatch('isUnlimited', form)
  return (
    <>
      <Field name="name" label={t('form.name')} isRequired>
        <Input maxLength={TOKEN_NAME_CHARACTERS_MAX} placeholder={t('form.nameHint')} />
      </Field>
      <Field name="remainQuota" label={t('form.quota')} help={t('form.quotaHelp')}>
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
        <Field name="count" label={t('form.count')} help={t('form.countHelp')}>
          <InputNumber min={1} max={COUNT_MAX} precision={0} />
        </Field>
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
      <Field name="expiresAt" label={t('form.expires')}>
        <TimePicker placeholder={t('form.expiresHint')} />
      </Field>
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
  const models = useUsableModels()
  return (
    <Field name="models" label={t('form.models')}>
      <Choices
        mode="tags"
        allowClear
        tokenSeparators={[',', '\n', ' ']}
        placeholder={t('form.modelsHint')}
        options={models.map((model) => ({ value: model, label: model }))}
      />
    </Field>
  )
}

/** One call a token; when one fails, those already made are kept and the reason is told. */
async function createTokens(value: TokenFormValue): Promise<readonly string[]> {
  const keys: string[] = []
  const names = batchNames(value.name.trim(), value.count)
  for (const name of names) {
    try {
      const { key } = await api.call(tokenRoutes.create, { body: { ...bodyOf(value), name } })
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

/** The quota is sent only when it was changed, together with the value it was changed from. */
function changesOf(token: Token, value: TokenFormValue) {
  const { remain_quota: quota, ...body } = bodyOf(value)
  if (quota === token.remain_quota) return { id: token.id, ...body }
  return { id: token.id, ...body, remain_quota: quota, expected_remain_quota: token.remain_quota }
}

import { CHANNEL_NAME_CHARACTERS_MAX } from '@tollgate/contract/channel-fields'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { Alert, Form, type FormInstance, Input, Select } from 'antd'
import { memo, useMemo } from 'react'
import { Field } from '../../../shared/form/field.tsx'
import { role, useSessionUser } from '../../../shared/session/session.ts'
import { useChannelTypes } from '../api.ts'
import styles from '../channels.module.css'
import { type ChannelFormValue, endsInVersion, keysOf, OPENAI_TYPE } from '../form-value.ts'
import { channelMessages } from '../i18n/index.ts'
import { AddressHelp } from './address-help.tsx'
import { isMoved, keepsMasks } from './moved.ts'
import { OtherField } from './other-field.tsx'

interface IdentityFieldsProps {
  readonly form: FormInstance<ChannelFormValue>
  /** The channel as it was loaded; `undefined` for a new one. */
  readonly stored: ChannelFormValue | undefined
  /** Preview of the stored key, if there is one. */
  readonly keyPreview: string | undefined
}

/** Type, name, key and address of a channel. Each part is rendered when what it watches changes. */
export function IdentityFields({ form, stored, keyPreview }: IdentityFieldsProps) {
  const t = channelMessages.use()
  const type = useChosenType(form)
  return (
    <>
      <TypeField form={form} type={type} />
      <Field name="name" label={t('word.name')} isRequired maxCharacters={CHANNEL_NAME_CHARACTERS_MAX}>
        <Input />
      </Field>
      <KeyField form={form} stored={stored} keyPreview={keyPreview} type={type} />
      <AddressField form={form} type={type} />
      {type?.other !== undefined && <OtherField other={type.other} />}
      {type?.type === OPENAI_TYPE && (
        <Field name="organization" label={t('form.organization')}>
          <Input className="code" placeholder="org-…" />
        </Field>
      )}
    </>
  )
}

function useChosenType(form: FormInstance<ChannelFormValue>): ChannelType | undefined {
  return useChannelTypes().get(Form.useWatch('type', form) ?? OPENAI_TYPE)
}

interface OfTypeProps extends Pick<IdentityFieldsProps, 'form'> {
  readonly type: ChannelType | undefined
}

const TypeField = memo(function TypeField({ form, type }: OfTypeProps) {
  const t = channelMessages.use()
  const types = useChannelTypes()
  const options = useMemo(
    () => [...types.values()].map(({ type: value, label }) => ({ value, label })),
    [types],
  )
  return (
    <Field name="type" label={t('column.type')}>
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        options={options}
        onChange={(value: number) => {
          const chosen: readonly string[] = form.getFieldValue('models') ?? []
          const usual = types.get(value)?.models ?? []
          if (isUsualOf(type, chosen)) form.setFieldValue('models', [...usual])
        }}
      />
    </Field>
  )
})

function KeyField({ form, stored, keyPreview, type }: IdentityFieldsProps & OfTypeProps) {
  const t = channelMessages.use()
  const keyCount = keysOf(Form.useWatch('key', form) ?? '').length
  const isRoot = (useSessionUser()?.role ?? 0) >= role.root
  const move = useMove({ form, stored, type })
  const keyHelp = keyPreview === undefined ? t('form.keyHelp') : t('form.keyKept', { preview: keyPreview })
  const usualHelp = keyCount > 1 ? t('form.keys', { count: keyCount }) : keyHelp
  const hints = [
    move.isMoved && keyCount === 0 && t(isRoot ? 'form.keyMovedRoot' : 'form.keyMoved'),
    move.isMoved && move.keepsMasks && !isRoot && t('form.valuesMoved'),
  ].filter((hint) => hint !== false)
  return (
    <Field
      name="key"
      label={t('word.key')}
      isRequired={keyPreview === undefined || (move.isMoved && !isRoot)}
      help={hints.length > 0 ? <span className={styles.moved}>{hints.join(' ')}</span> : usualHelp}
    >
      <Input.TextArea
        className="code"
        autoComplete="off"
        spellCheck={false}
        autoSize={{ minRows: 1, maxRows: 8 }}
        placeholder={type?.key_hint}
      />
    </Field>
  )
}

interface MoveInput extends OfTypeProps, Pick<IdentityFieldsProps, 'stored'> {}

/**
 * `isMoved`: the form would send the stored key to another address. `keepsMasks`: other masked values would
 * stay in force there.
 */
function useMove({ form, stored, type }: MoveInput): { isMoved: boolean; keepsMasks: boolean } {
  const entered = Form.useWatch((value: ChannelFormValue) => value, { form, preserve: true })
  if (stored === undefined) return { isMoved: false, keepsMasks: false }
  const value = { ...stored, ...entered }
  return { isMoved: isMoved(stored, value, type), keepsMasks: keepsMasks(value) }
}

function AddressField({ form, type }: OfTypeProps) {
  const t = channelMessages.use()
  const baseUrl = Form.useWatch('baseUrl', form) ?? ''
  return (
    <>
      <Field
        name="baseUrl"
        label={t('form.baseUrl')}
        isRequired={type !== undefined && type.base_url === ''}
        help={type !== undefined && <AddressHelp type={type} />}
      >
        <Input className="code" placeholder={type?.base_url || type?.address.example} />
      </Field>
      {endsInVersion(baseUrl) && <Alert type="warning" title={t('form.baseUrlVersion')} />}
    </>
  )
}

/**
 * Whether the models are still the usual ones of the type, so that those of another type may replace them.
 */
function isUsualOf(type: ChannelType | undefined, chosen: readonly string[]): boolean {
  return chosen.length === 0 || chosen.join() === type?.models.join()
}

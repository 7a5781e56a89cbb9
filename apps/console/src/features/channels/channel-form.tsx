import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Collapse, Form, type FormInstance, Input, InputNumber, Select, Switch } from 'antd'
import { api } from '../../shared/api/client.ts'
import { Field } from '../../shared/form/field.tsx'
import { ResourceForm } from '../../shared/form/resource-form.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useChannel, useChannelTypes, useGroupNames, useRefreshChannels } from './api.ts'
import styles from './channels.module.css'
import {
  bodyOf,
  type ChannelFormValue,
  endsInVersion,
  formValueOf,
  jsonObjectFault,
  keysOf,
  newChannelValue,
  OPENAI_TYPE,
} from './form-value.ts'
import { channelMessages } from './i18n.ts'
import { ModelsField } from './models-field.tsx'

interface ChannelFormProps {
  /** Undefined: a new one. */
  readonly channelId: number | undefined
  readonly onClose: () => void
}

/** Creates or edits a channel. What somebody else saved meanwhile is never overwritten: the server refuses and says so. */
export function ChannelForm({ channelId, onClose }: ChannelFormProps) {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  const { data: channel, error, refetch } = useChannel(channelId)
  const isNew = channelId === undefined

  async function save(value: ChannelFormValue) {
    if (channel === undefined) {
      await api.call(channelRoutes.create, { body: bodyOf(value) })
      notifyDone(t('created'))
    } else {
      await api.call(channelRoutes.update, {
        body: { ...bodyOf(value), id: channel.id, version: channel.version },
      })
      notifyDone(t('saved'))
    }
    onClose()
    await refresh()
  }

  return (
    <ResourceForm<ChannelFormValue>
      title={isNew ? t('form.new') : t('form.edit')}
      initialValue={isNew ? newChannelValue : channel && formValueOf(channel)}
      {...(isNew && { submitLabel: t('form.create') })}
      loadError={error}
      onReload={() => void refetch()}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <IdentityFields form={form} keyPreview={channel?.key_preview} />
          <ModelsField form={form} channelId={channelId} />
          <SchedulingFields />
          <Collapse
            ghost
            items={[
              { key: 'more', label: t('form.more'), forceRender: true, children: <MoreFields form={form} /> },
            ]}
          />
        </>
      )}
    </ResourceForm>
  )
}

interface IdentityFieldsProps {
  readonly form: FormInstance<ChannelFormValue>
  /** Of the stored key, when there is one. */
  readonly keyPreview: string | undefined
}

function IdentityFields({ form, keyPreview }: IdentityFieldsProps) {
  const t = channelMessages.use()
  const language = useLanguage()
  const types = useChannelTypes()
  const type = types.get(Form.useWatch('type', form) ?? OPENAI_TYPE)
  const baseUrl = Form.useWatch('baseUrl', form) ?? ''
  const keyCount = keysOf(Form.useWatch('key', form) ?? '').length
  const keyHelp = keyPreview === undefined ? t('form.keyHelp') : t('form.keyKept', { preview: keyPreview })

  return (
    <>
      <Field name="type" label={t('form.type')}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={[...types.values()].map(({ type: value, label }) => ({ value, label }))}
        />
      </Field>
      <Field name="name" label={t('form.name')} isRequired>
        <Input maxLength={100} />
      </Field>
      <Field
        name="key"
        label={t('form.key')}
        isRequired={keyPreview === undefined}
        help={keyCount > 1 ? t('form.keys', { count: keyCount }) : keyHelp}
      >
        <Input.TextArea
          className="code"
          autoComplete="off"
          spellCheck={false}
          autoSize={{ minRows: 1, maxRows: 8 }}
          placeholder={type?.key_hint}
        />
      </Field>
      <Field
        name="baseUrl"
        label={t('form.baseUrl')}
        isRequired={type !== undefined && type.base_url === ''}
        help={type?.base_url ? t('form.baseUrlHelp', { url: type.base_url }) : t('form.baseUrlNeeded')}
      >
        <Input className="code" placeholder={type?.base_url} />
      </Field>
      {endsInVersion(baseUrl) && <Alert type="warning" title={t('form.baseUrlVersion')} />}
      {type?.other_label !== undefined && (
        <Field name="other" label={type.other_label[language]}>
          <Input />
        </Field>
      )}
      {type?.type === OPENAI_TYPE && (
        <Field name="organization" label={t('form.organization')}>
          <Input className="code" placeholder="org-…" />
        </Field>
      )}
    </>
  )
}

function SchedulingFields() {
  const t = channelMessages.use()
  const groups = useGroupNames()
  const rules = [{ type: 'array' as const, min: 1, message: t('form.groupsMissing') }]
  return (
    <>
      <Field name="groups" label={t('form.groups')} rules={rules}>
        <Select mode="tags" options={groups.map((group) => ({ value: group, label: group }))} />
      </Field>
      <div className={styles.pair}>
        <Field name="priority" label={t('form.priority')} help={t('form.priorityHelp')}>
          <InputNumber min={-999} precision={0} style={{ width: '100%' }} />
        </Field>
        <Field name="weight" label={t('form.weight')} help={t('form.weightHelp')}>
          <InputNumber min={0} precision={0} style={{ width: '100%' }} />
        </Field>
      </div>
      <Field name="isAutoBan" label={t('form.autoBan')} valuePropName="checked">
        <Switch />
      </Field>
    </>
  )
}

function MoreFields({ form }: { readonly form: FormInstance<ChannelFormValue> }) {
  const t = channelMessages.use()
  const models = Form.useWatch('models', form) ?? []
  return (
    <>
      <JsonField
        name="modelMapping"
        label={t('form.mapping')}
        help={t('form.mappingHelp')}
        example='{"gpt-4o": "gpt-4o-2024-11-20"}'
      />
      <Field name="modelPrefix" label={t('form.prefix')} help={t('form.prefixHelp')}>
        <Input className="code" maxLength={64} />
      </Field>
      <Field name="testModel" label={t('form.testModel')}>
        <Select
          showSearch
          allowClear
          placeholder={t('form.testModelHint')}
          options={[
            { value: '', label: t('form.testModelHint') },
            ...models.map((model) => ({ value: model, label: model })),
          ]}
        />
      </Field>
      <Field name="tag" label={t('form.tag')}>
        <Input maxLength={64} />
      </Field>
      <JsonField
        name="statusMapping"
        label={t('form.statusMapping')}
        help={t('form.statusMappingHelp')}
        example='{"400": "500"}'
      />
      <JsonField
        name="parameterOverride"
        label={t('form.override')}
        help={t('form.overrideHelp')}
        example='{"temperature": 0}'
      />
      <JsonField name="setting" label={t('form.setting')} help={t('form.settingHelp')} example="{}" />
    </>
  )
}

interface JsonFieldProps {
  readonly name: keyof ChannelFormValue
  readonly label: string
  readonly help: string
  readonly example: string
}

/** A JSON object as text; a mistake is told under the field before anything is sent. */
function JsonField({ name, label, help, example }: JsonFieldProps) {
  const t = channelMessages.use()
  const rules = [
    {
      validator: async (_: unknown, text: string | undefined) => {
        if (jsonObjectFault(text ?? '') !== undefined) throw new Error(t('form.notJson'))
      },
    },
  ]
  return (
    <Field name={name} label={label} help={help} rules={rules}>
      <Input.TextArea
        className="code"
        spellCheck={false}
        autoSize={{ minRows: 1, maxRows: 10 }}
        placeholder={example}
      />
    </Field>
  )
}

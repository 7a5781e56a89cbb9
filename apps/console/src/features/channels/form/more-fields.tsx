import { REMARK_CHARACTERS_MAX } from '@tollgate/contract/channel-fields'
import { Form, type FormInstance, Input, Select } from 'antd'
import { Field } from '../../../shared/form/field.tsx'
import { jsonObjectFaultText } from '../../../shared/json/json-fault.ts'
import { RowsEditor } from '../../../shared/rows/rows-editor.tsx'
import { useChannelTypes } from '../api.ts'
import { type ChannelFormValue, emptyMember } from '../form-value.ts'
import { channelMessages } from '../i18n/index.ts'
import { TagInput } from '../tags/tag-input.tsx'
import { routeFault, routeRows } from './route-rows.ts'
import { StoredValues } from './stored-values.tsx'
import { SettingEditor } from './setting-editor.tsx'
import { hasBrokenTraits, settingObject } from './setting-object.ts'

interface MoreFieldsProps {
  readonly form: FormInstance<ChannelFormValue>
  /** `undefined`: a new channel. */
  readonly channelId: number | undefined
}

/** Mappings, overrides and settings, which most channels do not need. */
export function MoreFields({ form, channelId }: MoreFieldsProps) {
  const t = channelMessages.use()
  const models = Form.useWatch('models', form) ?? []
  const providerId = useChannelTypes().get(Form.useWatch('type', form))?.id
  const { isObject, isComplete, hasRoutes, hasTraits } = useRules()
  return (
    <>
      <Field name="modelMapping" label={t('form.mapping')} help={t('form.mappingHelp')} rules={isComplete}>
        <RowsEditor
          shape="texts"
          isOptional
          columns={[t('mapping.asked'), t('mapping.upstream')]}
          example='{"gpt-4o": "gpt-4o-2024-11-20"}'
        />
      </Field>
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
      <Field name="tag" label={t('word.tag')}>
        <TagInput />
      </Field>
      <Field name="remark" label={t('form.remark')} help={t('form.remarkHelp')}>
        <Input.TextArea maxLength={REMARK_CHARACTERS_MAX} autoSize={{ minRows: 1, maxRows: 4 }} />
      </Field>
      <Field
        name="statusMapping"
        label={t('form.statusMapping')}
        help={t('form.statusMappingHelp')}
        rules={isComplete}
      >
        <RowsEditor
          shape="texts"
          isOptional
          columns={[t('mapping.told'), t('mapping.callers')]}
          example='{"400": "500"}'
        />
      </Field>
      <StoredValues form={form} channelId={channelId} />
      <Field name="headerOverride" label={t('form.headers')} help={t('form.headersHelp')} rules={isObject}>
        <RowsEditor
          shape="texts"
          isOptional
          columns={[t('mapping.header'), t('mapping.value')]}
          accepts={(text) => jsonObjectFaultText(text) === undefined}
          example='{"x-team": "research"}'
        />
      </Field>
      <Field
        name="parameterOverride"
        label={t('form.override')}
        help={t('form.overrideHelp')}
        rules={isObject}
      >
        <Input.TextArea
          className="code"
          spellCheck={false}
          autoSize={{ minRows: 1, maxRows: 10 }}
          placeholder='{"temperature": 0}'
        />
      </Field>
      <Field
        name="setting"
        label={t('form.setting')}
        help={t('form.settingHelp')}
        rules={providerId === 'advanced' ? hasRoutes : hasTraits}
      >
        <SettingEditor providerId={providerId} />
      </Field>
    </>
  )
}

/**
 * Form rules. They check that a text is a JSON object or empty, and that no mapping has an empty value, so
 * that a mistake is shown under the field before it is sent.
 */
function useRules() {
  const t = channelMessages.use()
  const isObject = {
    validator: async (_: unknown, text: string | undefined) => {
      const fault = jsonObjectFaultText(text ?? '')
      if (fault !== undefined) throw new Error(fault)
    },
  }
  const hasTexts = {
    validator: async (_: unknown, text: string | undefined) => {
      if (jsonObjectFaultText(text ?? '') !== undefined) return
      const name = emptyMember(text ?? '')
      if (name !== undefined) throw new Error(t('mapping.empty', { name }))
    },
  }
  // Each line shows its own mistake at once; marking the whole field red while typing would add nothing, so
  // this rule runs only on submit.
  const hasRoutes = {
    validateTrigger: 'onSubmit',
    validator: async (_: unknown, text: string | undefined) => {
      const rows = routeRows(settingObject(text ?? '')?.['advanced_routes']) ?? []
      if (rows.some((row) => routeFault(row) !== undefined)) throw new Error(t('route.faulty'))
    },
  }
  const hasTraits = {
    validateTrigger: 'onSubmit',
    validator: async (_: unknown, text: string | undefined) => {
      if (hasBrokenTraits(settingObject(text ?? '') ?? {})) throw new Error(t('setting.modelTraitsBroken'))
    },
  }
  return {
    isObject: [isObject],
    isComplete: [isObject, hasTexts],
    hasTraits: [isObject, hasTraits],
    hasRoutes: [isObject, hasTraits, hasRoutes],
  }
}

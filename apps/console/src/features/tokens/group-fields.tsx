import { useQuery } from '@tanstack/react-query'
import { AUTO_GROUP, TOKEN_GROUPS_MAX } from '@tollgate/contract/token'
import { Form, type FormInstance, Select, Switch } from 'antd'
import { ownGroupsQuery } from '../../shared/api/own-queries.ts'
import { Choices } from '../../shared/form/choices.tsx'
import { Field } from '../../shared/form/field.tsx'
import type { TokenFormValue } from './form-value.ts'
import { tokenMessages } from './i18n.ts'
import { groupDescription } from '../../shared/groups/group-description.ts'

/** Selects the token's group, or several groups that are tried in order. */
export function GroupFields({ form }: { readonly form: FormInstance<TokenFormValue> }) {
  const t = tokenMessages.use()
  const group = Form.useWatch('group', form)
  const { data, isPending } = useQuery(ownGroupsQuery)
  const groups = Object.entries(data ?? {}).map(([name, { desc, ratio }]) => ({
    value: name,
    label: `${name} · ${groupDescription(desc)} · ×${ratio}`,
  }))
  const isReal = data !== undefined && Object.hasOwn(data, AUTO_GROUP)
  const auto = isReal ? [] : [{ value: AUTO_GROUP, label: t('word.autoGroup') }]
  return (
    <>
      <Field name="group" label={t('word.group')} help={t('form.groupHelp')}>
        <Select loading={isPending} options={[{ value: '', label: t('ownGroup') }, ...auto, ...groups]} />
      </Field>
      {group === AUTO_GROUP && !isReal && (
        <>
          <Field name="groupOrder" label={t('form.groupOrder')} help={t('form.groupOrderHelp')}>
            <Choices
              mode="multiple"
              allowClear
              maxCount={TOKEN_GROUPS_MAX}
              placeholder={t('form.groupOrderHint')}
              options={groups}
            />
          </Field>
          <Field name="triesNextGroup" label={t('form.nextGroup')} valuePropName="checked">
            <Switch />
          </Field>
        </>
      )}
    </>
  )
}

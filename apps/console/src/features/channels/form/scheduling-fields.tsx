import { PRIORITY_MAX, PRIORITY_MIN, WEIGHT_MAX } from '@tollgate/contract/channel-fields'
import { Switch } from 'antd'
import { useGroupNames } from '../../../shared/api/group-names.ts'
import { Choices } from '../../../shared/form/choices.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { NumberInput } from '../../../shared/form/number-input.tsx'
import { useNumberRules } from '../../../shared/form/number-rules.ts'
import styles from '../channels.module.css'
import { channelMessages } from '../i18n/index.ts'

/** Fields that decide who may use a channel and when it is chosen. */
export function SchedulingFields() {
  const t = channelMessages.use()
  const { whole } = useNumberRules()
  const groups = useGroupNames()
  const rules = [{ type: 'array' as const, min: 1, message: t('form.groupsMissing') }]
  return (
    <>
      <Field name="groups" label={t('word.groups')} rules={rules}>
        <Choices
          mode="tags"
          tokenSeparators={[',', '，']}
          options={groups.map((group) => ({ value: group, label: group }))}
        />
      </Field>
      <div className={styles.pair}>
        <Field
          name="priority"
          label={t('column.priority')}
          help={t('form.priorityHelp')}
          rules={[whole({ min: PRIORITY_MIN, max: PRIORITY_MAX })]}
        >
          <NumberInput />
        </Field>
        <Field
          name="weight"
          label={t('column.weight')}
          help={t('form.weightHelp')}
          rules={[whole({ min: 0, max: WEIGHT_MAX })]}
        >
          <NumberInput />
        </Field>
      </div>
      <Field name="isAutoBan" label={t('form.autoBan')} valuePropName="checked">
        <Switch />
      </Field>
    </>
  )
}

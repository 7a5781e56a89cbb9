import { useMutation, useQuery } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { channelInsightRoutes, OPERATIONS } from '@tollgate/contract/channel-insight'
import { AutoComplete, Button, Drawer, Form, Input, InputNumber, Select } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { Choices } from '../../../shared/form/choices.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { useGroupNames } from '../../../shared/api/group-names.ts'
import { ExplainAnswer } from './explain-answer.tsx'
import styles from './explain.module.css'
import { channelExplainMessages } from './i18n.ts'

interface Question {
  readonly model: string
  readonly operation: (typeof OPERATIONS)[number]
  readonly tokenId: string
  readonly group: string
  readonly session: string
  readonly rule: string
  readonly ruleValue: string
  readonly retries: number | null
  readonly failing: readonly number[]
}

const first: Question = {
  model: '',
  operation: 'chat',
  tokenId: '',
  group: 'default',
  session: '',
  rule: '',
  ruleValue: '',
  retries: null,
  failing: [],
}

/**
 * Explains routing for any model and token: candidates, filters and the weighted choice. A dry run shows what
 * happens if some channels fail.
 */
export function ExplainDrawer({ onClose }: { readonly onClose: () => void }) {
  const t = channelExplainMessages.use()
  const groups = useGroupNames()
  const { data: models = [] } = useQuery({
    queryKey: ['channel', 'models-enabled'],
    queryFn: ({ signal }) => api.call(channelRoutes.modelsEnabled, { signal }),
  })
  const answer = useMutation({ mutationFn: ask })
  const known = answer.data?.channels ?? []

  return (
    <Drawer open size={920} title={t('title')} onClose={onClose}>
      <p className={styles.purpose}>{t('purpose')}</p>
      <Form<Question> layout="vertical" initialValues={first} onFinish={(value) => answer.mutate(value)}>
        <div className={styles.fields}>
          <Field name="model" label={t('word.model')} isRequired>
            <AutoComplete
              options={models.map((model) => ({ value: model }))}
              showSearch={{ filterOption: (text, option) => option?.value.includes(text) === true }}
            />
          </Field>
          <Field name="operation" label={t('operation')}>
            <Select options={OPERATIONS.map((operation) => ({ value: operation, label: operation }))} />
          </Field>
          <Field name="tokenId" label={t('token')} help={t('tokenHelp')}>
            <Input inputMode="numeric" />
          </Field>
          <Field name="group" label={t('word.group')}>
            <Select options={groups.map((group) => ({ value: group, label: group }))} />
          </Field>
          <Field name="session" label={t('session')} help={t('sessionHelp')}>
            <Input className="code" />
          </Field>
          <Field name="rule" label={t('rule')} help={t('ruleHelp')}>
            <AutoComplete options={(answer.data?.affinity_rules ?? []).map((rule) => ({ value: rule }))} />
          </Field>
          <Field name="ruleValue" label={t('ruleValue')} help={t('ruleValueHelp')}>
            <Input className="code" />
          </Field>
          <Field name="retries" label={t('retries')}>
            <InputNumber min={0} max={20} precision={0} style={{ width: '100%' }} />
          </Field>
          <Field name="failing" label={t('failing')}>
            <Choices
              mode="multiple"
              options={known.map((channel) => ({
                value: channel.channel_id,
                label: `#${channel.channel_id} ${channel.name}`,
              }))}
            />
          </Field>
        </div>
        <Button type="primary" htmlType="submit" loading={answer.isPending}>
          {t('ask')}
        </Button>
      </Form>
      {answer.error !== null && <ErrorState error={answer.error} />}
      {answer.data !== undefined && (
        <ExplainAnswer answer={answer.data} asked={answer.variables?.model.trim() ?? ''} />
      )}
    </Drawer>
  )
}

function ask({ model, operation, tokenId, group, session, rule, ruleValue, retries, failing }: Question) {
  const token = Number(tokenId.trim())
  return api.call(channelInsightRoutes.explain, {
    body: {
      model: model.trim(),
      operation,
      group,
      failing: [...failing],
      session: session.trim() || undefined,
      affinity_rule: rule.trim() || undefined,
      affinity_value: ruleValue.trim() || undefined,
      token_id: token > 0 ? token : undefined,
      retries: retries ?? undefined,
    },
  })
}

import { checkRule } from '../../../shared/form/check-rule.ts'
import { characters, DISPLAY_NAME_CHARACTERS_MAX, displayNameSchema } from '@tollgate/contract/account-rules'
import { Form, Input } from 'antd'
import { rename } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { personalMessages } from '../i18n/index.ts'
import { useDialogMutation } from '../use-dialog-mutation.ts'

const limit = { max: DISPLAY_NAME_CHARACTERS_MAX }
const isGoodName = (name: string) =>
  characters(name.trim()) <= limit.max && displayNameSchema.safeParse(name).success

export function NameDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = personalMessages.use()
  const save = useDialogMutation({
    mutationFn: ({ displayName }: { displayName: string }) => rename(displayName.trim()),
    done: t('profile.renamed'),
    onClose,
  })
  return (
    <FormDialog
      name="display-name"
      firstField="displayName"
      title={t('profile.rename')}
      submitLabel={t('save')}
      mutation={save}
      initialValues={{ displayName: name }}
      onClose={onClose}
    >
      <Form.Item
        name="displayName"
        label={t('word.displayName')}
        extra={t('profile.nameHelp', limit)}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('profile.nameMissing') },
          checkRule(isGoodName, t('profile.nameWrong', limit)),
        ]}
      >
        <Input autoComplete="nickname" />
      </Form.Item>
    </FormDialog>
  )
}

import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A mail text that a project has put in the place of ours. */
export interface StoredTemplate {
  readonly name: string;
  readonly language: string;
  readonly subject: string;
  readonly body: string;
  readonly html: string | null;
}

const columns = sql`name, language, subject, body, html`;

export async function listTemplates(db: ProjectDb): Promise<StoredTemplate[]> {
  return db.query<StoredTemplate & Record<string, unknown>>(sql`
    SELECT ${columns} FROM cell.mail_templates WHERE project_id = ${db.scope} ORDER BY name, language`);
}

export async function listLanguagesOf(db: ProjectDb, name: string): Promise<StoredTemplate[]> {
  return db.query<StoredTemplate & Record<string, unknown>>(sql`
    SELECT ${columns} FROM cell.mail_templates WHERE project_id = ${db.scope} AND name = ${name}`);
}

export async function saveTemplate(db: ProjectDb, template: StoredTemplate): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.mail_templates (project_id, name, language, subject, body, html)
    VALUES (${db.scope}, ${template.name}, ${template.language}, ${template.subject}, ${template.body}, ${template.html})
    ON CONFLICT (project_id, name, language) DO UPDATE
      SET subject = excluded.subject, body = excluded.body, html = excluded.html, updated_at = now()`);
}

export async function removeTemplate(db: ProjectDb, name: string, language: string): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.mail_templates WHERE project_id = ${db.scope} AND name = ${name} AND language = ${language}
    RETURNING true`);
  return rows.length === 1;
}

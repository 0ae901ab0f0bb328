-- Where in the audit log of a project a time is.
CREATE INDEX audit_log_of_project_at ON control.audit_log (of_project, at);

use super::page;
use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use war::i18n::{Catalogue, Lang, Text};

/// What can be asked for in an address.
#[derive(Deserialize)]
pub(super) struct Asked {
    lang: Option<String>,
}

impl Asked {
    pub(super) fn lang(&self) -> Lang {
        let known = self.lang.as_deref().and_then(Lang::from_code);
        known.unwrap_or(Lang::ALL[0])
    }
}

/// The language that an address asks for, or the first one.
pub(super) fn asked_language(uri: &Uri) -> Lang {
    let asked = Query::<Asked>::try_from_uri(uri);
    asked.map_or(Lang::ALL[0], |asked| asked.lang())
}

pub(super) fn catalogue(lang: Lang) -> &'static Catalogue {
    Catalogue::of(lang).expect("the built-in catalogues are tested")
}

/// Says why there is nothing to see.
pub(super) fn said(status: StatusCode, text: &Text, lang: Lang) -> Response {
    let line = catalogue(lang).text(text) + "\n";
    (status, page::typed("text/plain; charset=utf-8", line)).into_response()
}
